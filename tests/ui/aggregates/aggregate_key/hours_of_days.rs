use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
struct Order {
    #[serde(rename = "_id")]
    id: ObjectId,
    date: chrono::NaiveDate,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(hour = hour(date)))]
struct Row {
    hour: DateTime,
    #[count]
    n: i64,
}

fn main() {
    let _ = Order::aggregate::<Row>();
}
