use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
struct Order {
    #[serde(rename = "_id")]
    id: ObjectId,
    total: i64,
    placed: DateTime,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "reports", clustered)]
struct Report {
    #[serde(rename = "_id")]
    day: DateTime,
    revenue: i64,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(day = day(placed)), into = Report)]
struct OfDay {
    #[serde(rename = "_id")]
    day: DateTime,
    #[sum(total)]
    revenue: i64,
}

async fn store(db: &Database) {
    let _ = Order::aggregate::<OfDay>().merge(db).await;
}

fn main() {}
