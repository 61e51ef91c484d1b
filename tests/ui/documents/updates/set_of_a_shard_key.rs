use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
#[shard_key(hashed(customer), distinct(customer = 100_000))]
struct Order {
    #[serde(rename = "_id")]
    id: i64,
    customer: i64,
}

fn main() {
    let _ = Order::update_by_id(1).set(Order::F.customer, 2);
}
