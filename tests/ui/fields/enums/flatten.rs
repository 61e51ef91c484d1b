use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Body {
    Text {
        #[serde(flatten)]
        inner: Inner,
    },
}

#[derive(Embed, Serialize, Deserialize)]
struct Inner { caption: String }

fn main() {}
