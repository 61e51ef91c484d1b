use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
#[shard_key(shard_key)]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
    #[slug(from = name, max_len = 80)]
    shard_key: String,
}

fn main() {}
