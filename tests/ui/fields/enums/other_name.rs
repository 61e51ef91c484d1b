use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
enum State {
    Open,
    #[serde(other)]
    Unknown,
}

fn main() {}
