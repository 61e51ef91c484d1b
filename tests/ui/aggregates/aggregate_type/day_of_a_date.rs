use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
struct Order {
    #[serde(rename = "_id")]
    id: ObjectId,
    city: String,
    placed: DateTime,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(city))]
struct Row {
    city: String,
    #[max(placed)]
    last: chrono::NaiveDate,
}

fn main() {
    let _ = Order::aggregate::<Row>();
}
