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
#[model(collection = "cheaps", view(of = Product, filter(lt(price, "5"))))]
struct Cheap {
    #[serde(rename = "_id")]
    id: ObjectId,
    price: i32,
}

fn main() {}
