use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Body {
    Text {
        #[index]
        caption: String,
    },
}

fn main() {}
