use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
#[shard_key(name)]
#[query(by_shard_key(name))]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[bound(max_len = 80)]
    name: String,
}

fn main() {}
