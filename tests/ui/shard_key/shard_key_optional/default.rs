use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
#[shard_key(region, id, distinct(region = 500))]
struct Order {
    #[serde(rename = "_id")]
    id: i64,
    #[serde(default)]
    region: String,
}

fn main() {}
