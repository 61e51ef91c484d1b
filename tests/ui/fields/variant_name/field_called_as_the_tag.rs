use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Body {
    Text {
        #[serde(rename = "sort")]
        kind: String,
    },
}

fn main() {}
