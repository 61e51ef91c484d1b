use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
#[shard_key(open)]
struct Order {
    #[serde(rename = "_id")]
    id: i64,
    open: bool,
}

fn main() {}
