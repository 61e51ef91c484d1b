use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
struct Order {
    #[serde(rename = "_id")]
    id: ObjectId,
    customer: String,
    status: String,
    total: i64,
    placed: DateTime,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(customer, status))]
struct OfCustomer {
    customer: String,
    status: String,
    #[sum(total)]
    revenue: i64,
    #[max(placed)]
    last: DateTime,
}

#[derive(Projection, Deserialize)]
#[projection(of = Order)]
struct Card {
    total: i64,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = OfCustomer, by(status))]
struct OfStatus {
    status: String,
    #[top(2, order = desc(revenue))]
    best: Vec<Card>,
}

fn main() {}
