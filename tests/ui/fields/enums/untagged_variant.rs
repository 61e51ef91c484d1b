use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Body {
    Text { caption: String },
    #[serde(untagged)]
    Picture { size: i32 },
}

fn main() {}
