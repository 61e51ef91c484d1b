use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
#[shard_key(created, id)]
struct Order {
    #[serde(rename = "_id")]
    id: i64,
    #[created_at]
    created: DateTime,
}

fn main() {}
