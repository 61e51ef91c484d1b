// 3 messages: each word is of documents.
use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
#[query(of_status(status), aggregate = OfStatus, one, order = desc(total), select = Card)]
struct Order {
    #[serde(rename = "_id")]
    id: i64,
    status: String,
    total: i64,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(status))]
struct OfStatus {
    status: String,
    #[count]
    count: i64,
}

fn main() {}
