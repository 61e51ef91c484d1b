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
#[model(collection = "shapes", view(of = Product))]
#[serde(tag = "kind")]
enum Shape {
    Round {
        #[serde(rename = "_id")]
        id: ObjectId,
        price: i32,
    },
    Square {
        #[serde(rename = "_id")]
        id: ObjectId,
        name: String,
    },
}

fn main() {}
