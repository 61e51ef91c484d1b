use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
#[shard_key(hashed(weight), distinct(weight = 100_000))]
struct Order {
    #[serde(rename = "_id")]
    id: i64,
    weight: f64,
}

fn main() {}
