use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Body {
    Text { caption: String },
    #[serde(rename = "Text")]
    Note { text: String },
}

fn main() {}
