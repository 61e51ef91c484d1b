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

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "sales", view(of = Order, from(label = total)))]
struct Sales {
    #[serde(rename = "_id")]
    id: ObjectId,
    label: String,
}

fn main() {}
