use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "parts")]
struct Part {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[copied_to(Product::qty)]
    qty: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    part: Ref<Part>,
    #[denormalize(from = part.qty)]
    qty: i32,
}

fn main() {}
