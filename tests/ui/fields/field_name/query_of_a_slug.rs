use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
#[query(by_slug(slug), one)]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
    #[slug(from = name, max_len = 80)]
    slug: String,
}

fn main() {}
