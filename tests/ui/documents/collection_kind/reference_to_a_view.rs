use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    price: i32,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "cheaps", view(of = Product))]
struct Cheap {
    #[serde(rename = "_id")]
    id: ObjectId,
    price: i32,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "offers")]
struct Offer {
    #[serde(rename = "_id")]
    id: ObjectId,
    of: Ref<Cheap>,
}

fn main() {}
