use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
enum Body {
    Nothing,
    Text { caption: String },
}

fn main() {}
