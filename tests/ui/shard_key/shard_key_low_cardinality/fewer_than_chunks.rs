use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
#[shard_key(country, state, distinct(country = 50), chunks = 2_000)]
struct Order {
    #[serde(rename = "_id")]
    id: i64,
    country: String,
    state: State,
}

#[derive(Embed, Serialize, Deserialize)]
enum State {
    Open,
    Paid,
    Sent,
}

fn main() {}
