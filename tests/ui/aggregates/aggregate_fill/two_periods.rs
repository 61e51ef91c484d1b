use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
struct Order {
    #[serde(rename = "_id")]
    id: ObjectId,
    status: String,
    total: i64,
    placed: DateTime,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(day = day(placed), month = month(placed)), fill)]
struct Day {
    day: DateTime,
    month: DateTime,
    #[count]
    orders: i64,
}

fn main() {}
