// 2 messages: a view has no slug and no rollup.
use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
struct Order {
    #[serde(rename = "_id")]
    id: ObjectId,
    customer: String,
    placed: DateTime,
    total: i64,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(customer))]
struct OfCustomer {
    customer: String,
    #[count]
    orders: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "sales", view(of = Order, aggregate = OfCustomer))]
struct Sales {
    #[serde(rename = "_id")]
    id: String,
    #[slug(from = id, max_len = 80)]
    customer: String,
    #[computed(count(Order::customer))]
    orders: i64,
}

fn main() {}
