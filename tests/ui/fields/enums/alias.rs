use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
enum State {
    Open,
    #[serde(alias = "Finished")]
    Done,
}

fn main() {}
