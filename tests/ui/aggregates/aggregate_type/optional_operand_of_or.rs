use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
struct Order {
    #[serde(rename = "_id")]
    id: ObjectId,
    city: String,
    total: i64,
    discount: Option<i64>,
    rebate: Option<i64>,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(city))]
struct Row {
    city: String,
    #[sum(total - or(discount, rebate))]
    net: i64,
}

fn main() {
    let _ = Order::aggregate::<Row>();
}
