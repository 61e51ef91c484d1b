use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "customers")]
struct Customer {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[copied_to(Order::customer_name)]
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
struct Order {
    #[serde(rename = "_id")]
    id: ObjectId,
    customer: Ref<Customer>,
    #[denormalize(from = customer.name)]
    customer_name: String,
    #[slug(from = customer_name, max_len = 80)]
    slug: String,
}

fn main() {}
