use schema_runtime::prelude::*;

#[allow(non_camel_case_types)]
#[derive(Embed, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Body {
    Text { caption: String },
    text { note: String },
}

fn main() {}
