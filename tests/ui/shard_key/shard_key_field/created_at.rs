use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
#[shard_key(id, created, distinct(id = 50_000))]
struct Order {
    #[serde(rename = "_id")]
    id: i64,
    #[created_at]
    created: DateTime,
}

fn main() {}
