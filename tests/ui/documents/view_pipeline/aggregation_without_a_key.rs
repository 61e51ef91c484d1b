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
#[aggregate(of = Order)]
struct CustomerMonth {
    #[sum(total)]
    revenue: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "sales", view(of = Order, aggregate = CustomerMonth))]
struct Sales {
    #[serde(rename = "_id")]
    id: ObjectId,
    revenue: i64,
}

fn main() {}
