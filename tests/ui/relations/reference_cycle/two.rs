use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "customers")]
struct Customer {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, parent_ref)]
    last_order: Ref<Order>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
struct Order {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, parent_ref)]
    customer: Ref<Customer>,
}

fn main() {
    schema![Customer, Order];
}
