use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
#[shard_key(hashed(id))]
#[query(by_id(id), one)]
#[query(after(gt(id)), limit = 100)]
struct Order {
    #[serde(rename = "_id")]
    id: ObjectId,
    total: i64,
}

fn main() {}
