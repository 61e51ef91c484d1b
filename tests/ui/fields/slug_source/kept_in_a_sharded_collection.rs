use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
#[shard_key(slug)]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
    #[slug(from = name, max_len = 80, keep_old = 5)]
    slug: String,
}

fn main() {}
