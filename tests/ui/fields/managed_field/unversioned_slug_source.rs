use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: i64,
    #[unversioned]
    name: String,
    #[slug(from = name, max_len = 80, follow)]
    slug: String,
    #[version]
    version: i64,
}

fn main() {}
