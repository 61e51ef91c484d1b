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
#[aggregate(of = Order, by(customer, month = month(placed)))]
struct CustomerMonth {
    customer: String,
    month: DateTime,
    #[sum(total)]
    revenue: i64,
}

#[derive(Embed, Serialize, Deserialize, Clone)]
struct SalesKey {
    customer: String,
    month: DateTime,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "sales", view(of = Order, aggregate = CustomerMonth))]
struct Sales {
    #[serde(rename = "_id")]
    id: SalesKey,
    customer: String,
    month: DateTime,
}

fn main() {}
