use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Body<T> {
    Text { caption: T },
}

fn main() {}
