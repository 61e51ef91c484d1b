use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
#[shard_key(hashed(id))]
#[shard_key(total)]
struct Order {
    #[serde(rename = "_id")]
    id: i64,
    total: i64,
}

fn main() {}
