use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "parts")]
struct Part {
    #[serde(rename = "_id")]
    id: i64,
    #[copied_to(Product::weight)]
    weight: f64,
    #[copied_to(Product::length)]
    length: f32,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, parent_ref)]
    part: Ref<Part>,
    #[denormalize(from = part.weight)]
    weight: f32,
    #[denormalize(from = part.length)]
    length: f64,
}

fn main() {}
