use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
enum Two {
    #[serde(rename = "A")]
    B,
    A,
}

fn main() {}
