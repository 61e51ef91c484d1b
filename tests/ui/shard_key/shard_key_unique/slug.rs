use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
#[shard_key(name, id)]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[bound(max_len = 80)]
    name: String,
    #[slug(from = name, max_len = 80)]
    slug: String,
}

fn main() {}
