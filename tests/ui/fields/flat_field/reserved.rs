use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Audit {
    #[serde(rename = "_v")]
    by: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "parts")]
struct Part {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[copied_to(Product::part_name)]
    #[changes(seldom)]
    name: String,
    #[embed(flat)]
    #[serde(flatten)]
    audit: Audit,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    part: Ref<Part>,
    #[denormalize(from = part.name)]
    part_name: String,
}

fn main() {}
