use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data")]
enum Body {
    Text { caption: String },
    Size(i32, i32),
}

fn main() {}
