// 4 messages: a message for each comparison.
use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
#[index(title, partial(price < 5))]
#[index(price, partial(gt(price, 0), address.city == "Oslo"))]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
    price: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "cheap", view(of = Product, filter(price < 5)))]
struct Cheap {
    #[serde(rename = "_id")]
    id: ObjectId,
    price: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "sums")]
#[index(price, partial(price + 5))]
struct Sum {
    #[serde(rename = "_id")]
    id: ObjectId,
    price: i64,
}

fn main() {}
