use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
enum State {
    #[index]
    Open,
    Closed,
}

fn main() {}
