use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
struct Order {
    #[serde(rename = "_id")]
    id: ObjectId,
    status: String,
    city: Option<String>,
    total: i64,
    placed: DateTime,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "reports")]
struct Report {
    #[serde(rename = "_id")]
    status: String,
    day: DateTime,
    revenue: i64,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(status, day = day(placed)), into = Report)]
struct OfStatus {
    #[serde(rename = "_id")]
    status: String,
    day: DateTime,
    #[sum(total)]
    revenue: i64,
}

async fn store(db: &Database) {
    let _ = Order::aggregate::<OfStatus>().merge(db).await;
}

fn main() {}
