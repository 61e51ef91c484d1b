use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data")]
enum Body {
    Text(Option<Text>),
}

#[derive(Embed, Serialize, Deserialize)]
struct Text { caption: String }

fn main() {}
