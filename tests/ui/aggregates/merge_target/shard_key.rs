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
#[shard_key(hashed(city), distinct(city = 50_000))]
struct Report {
    #[serde(rename = "_id")]
    status: String,
    city: String,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(status), into = Report)]
struct OfStatus {
    #[serde(rename = "_id")]
    status: String,
    #[max(status)]
    city: String,
}

async fn store(db: &Database) {
    let _ = Order::aggregate::<OfStatus>().merge(db).await;
}

fn main() {}
