use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Body {
    Size { width: i32 },
}

fn main() {}
