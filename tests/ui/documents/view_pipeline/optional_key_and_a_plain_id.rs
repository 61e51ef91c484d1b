use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
struct Order {
    #[serde(rename = "_id")]
    id: ObjectId,
    customer: Option<String>,
    placed: DateTime,
    total: i64,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(customer))]
struct CustomerMonth {
    customer: Option<String>,
    #[sum(total)]
    revenue: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "sales", view(of = Order, aggregate = CustomerMonth))]
struct Sales {
    #[serde(rename = "_id")]
    id: String,
    revenue: i64,
}

fn main() {}
