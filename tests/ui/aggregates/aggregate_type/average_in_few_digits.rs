use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
struct Order {
    #[serde(rename = "_id")]
    id: ObjectId,
    city: String,
    fee: rust_decimal::Decimal,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(city))]
struct Row {
    city: String,
    #[avg(fee)]
    mean: rust_decimal::Decimal,
}

fn main() {
    let _ = Order::aggregate::<Row>();
}
