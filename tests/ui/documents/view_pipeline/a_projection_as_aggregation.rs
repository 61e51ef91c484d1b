use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
struct Order {
    #[serde(rename = "_id")]
    id: ObjectId,
    customer: String,
    total: i64,
}

#[derive(Projection, Deserialize)]
#[projection(of = Order)]
struct Total {
    customer: String,
    total: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "sales", view(of = Order, aggregate = Total))]
struct Sales {
    #[serde(rename = "_id")]
    id: String,
    revenue: i64,
}

fn main() {}
