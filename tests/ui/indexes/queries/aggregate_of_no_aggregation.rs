// 2 messages: rustc also compares the models of the struct and of the query.
use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
#[query(of_status(status), aggregate = Card)]
struct Order {
    #[serde(rename = "_id")]
    id: i64,
    status: String,
    total: i64,
}

#[derive(Projection, Deserialize)]
#[projection(of = Order)]
struct Card {
    total: i64,
}

fn main() {}
