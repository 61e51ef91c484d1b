use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "customers", allow(reference_cycle, reason = "inserted together"))]
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
    #[relation(one_to_many, parent_ref)]
    parcel: Ref<Parcel>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "parcels")]
struct Parcel {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, parent_ref)]
    order: Ref<Order>,
}

fn main() {
    schema![Customer, Order, Parcel];
}
