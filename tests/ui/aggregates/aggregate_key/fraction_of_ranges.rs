use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
struct Order {
    #[serde(rename = "_id")]
    id: ObjectId,
    stock: i32,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(stock = ranges(stock, [0.5, 10])))]
struct Row {
    stock: Option<i32>,
    #[count]
    n: i64,
}

fn main() {
    let _ = Order::aggregate::<Row>();
}
