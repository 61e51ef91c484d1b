use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
#[shard_key(hashed(customer), hashed(id))]
struct Order {
    #[serde(rename = "_id")]
    id: i64,
    customer: i64,
}

fn main() {}
