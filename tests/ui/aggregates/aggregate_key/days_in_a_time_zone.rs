use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
struct Order {
    #[serde(rename = "_id")]
    id: ObjectId,
    date: chrono::NaiveDate,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(month = month(date, tz = "Europe/Oslo")))]
struct Row {
    month: DateTime,
    #[count]
    n: i64,
}

fn main() {
    let _ = Order::aggregate::<Row>();
}
