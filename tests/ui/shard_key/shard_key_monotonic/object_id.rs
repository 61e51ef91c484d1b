use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
#[shard_key(id)]
struct Order {
    #[serde(rename = "_id")]
    id: ObjectId,
    total: i64,
}

fn main() {}
