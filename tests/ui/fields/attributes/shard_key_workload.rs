use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
#[shard_key(hashed(id), workload(inserts = 95, queries = 50))]
struct Order {
    #[serde(rename = "_id")]
    id: i64,
    total: i64,
}

fn main() {}
