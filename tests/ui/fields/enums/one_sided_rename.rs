use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Body {
    #[serde(rename(serialize = "text"))]
    Text { caption: String },
}

fn main() {}
