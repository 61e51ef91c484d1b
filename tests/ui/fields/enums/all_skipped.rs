use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Body {
    #[serde(skip)]
    Text { caption: String },
}

fn main() {}
