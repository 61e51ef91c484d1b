use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
    #[slug(from = name, max_len = 80, keep_old = 1_000)]
    slug: String,
}

fn main() {}
