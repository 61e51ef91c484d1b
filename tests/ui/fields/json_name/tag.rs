use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Body {
    Text {
        #[json(rename = "kind")]
        style: String,
    },
    Nothing,
}

fn main() {}
