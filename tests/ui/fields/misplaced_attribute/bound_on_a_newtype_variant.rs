use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Body {
    Text(#[bound(max_items = 3)] Text),
}

#[derive(Embed, Serialize, Deserialize)]
struct Text { caption: String }

fn main() {}
