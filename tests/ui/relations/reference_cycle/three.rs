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
    shop: Ref<Shop>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "shops")]
struct Shop {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, parent_ref)]
    best: Ref<Customer>,
    #[relation(one_to_many, parent_ref)]
    of: Ref<Shop>,
}

fn main() {
    schema![Shop, Customer, Order];
}
