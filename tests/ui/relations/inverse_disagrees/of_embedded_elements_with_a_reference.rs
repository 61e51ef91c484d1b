use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
#[inverse(orders = Order::lines, on_delete = restrict)]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
struct Order {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_few, embed, max = 50)]
    lines: Vec<Line>,
}

#[derive(Embed, Serialize, Deserialize)]
struct Line {
    product: Ref<Product>,
    qty: i32,
}

fn main() {}
