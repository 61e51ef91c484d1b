use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
#[shard_key(state)]
struct Order {
    #[serde(rename = "_id")]
    id: i64,
    state: State,
}

#[derive(Embed, Serialize, Deserialize)]
enum State {
    Open,
    Paid,
    Sent,
}

fn main() {}
