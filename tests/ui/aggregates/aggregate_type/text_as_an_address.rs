use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
struct Order {
    #[serde(rename = "_id")]
    id: ObjectId,
    host: String,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(host))]
struct Row {
    host: std::net::IpAddr,
    #[count]
    n: i64,
}

fn main() {
    let _ = Order::aggregate::<Row>();
}
