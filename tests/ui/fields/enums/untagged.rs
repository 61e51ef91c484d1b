use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[serde(untagged)]
enum Body {
    Text { caption: String },
    Picture { size: i32 },
}

fn main() {}
