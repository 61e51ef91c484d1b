use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
#[shard_key(tags, id)]
struct Order {
    #[serde(rename = "_id")]
    id: i64,
    #[history(keep = 10)]
    tags: Vec<String>,
}

fn main() {}
