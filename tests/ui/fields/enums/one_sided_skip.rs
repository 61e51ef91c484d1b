use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Body {
    Text { caption: String },
    #[serde(skip_deserializing)]
    Picture { size: i32 },
}

fn main() {}
