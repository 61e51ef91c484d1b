use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
    #[slug(from = name, max_len = 80, keep_old = 5)]
    slug: String,
    #[serde(rename = "_slugs_slug")]
    #[bound(max_len = 80)]
    other: String,
}

fn main() {}
