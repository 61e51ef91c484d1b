use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
#[shard_key(hashed(price), distinct(price = 100_000))]
struct Order {
    #[serde(rename = "_id")]
    id: i64,
    price: Decimal128,
}

fn main() {}
