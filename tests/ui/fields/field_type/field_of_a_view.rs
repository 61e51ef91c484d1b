use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    price: i32,
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "cheaps", view(of = Product))]
struct Cheap {
    #[serde(rename = "_id")]
    id: ObjectId,
    price: String,
}

fn main() {}
