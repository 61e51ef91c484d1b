use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data")]
enum Body {
    Text(String),
}

fn main() {}
