use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Body {
    Text(Text),
}

#[derive(Embed, Serialize, Deserialize)]
struct Text {
    #[serde(rename = "kind")]
    sort: String,
}

fn main() {}
