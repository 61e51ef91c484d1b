use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: Option<String>,
    #[slug(from = name, max_len = 80)]
    slug: String,
}

fn main() {}
