use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "customers")]
struct Customer {
    #[serde(rename = "_id")]
    id: i64,
    #[copied_to(Order::name, fan_out = 50)]
    name: String,
    #[copied_to(Order::city, fan_out = 50)]
    city: String,
    #[copied_to(Order::street, fan_out = 50)]
    street: String,
    #[copied_to(Order::phone, fan_out = 50)]
    phone: String,
    note: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
struct Order {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, parent_ref)]
    customer: Ref<Customer>,
    #[denormalize(from = customer.name)]
    name: String,
    #[denormalize(from = customer.city)]
    city: String,
    #[denormalize(from = customer.street)]
    street: String,
    #[denormalize(from = customer.phone)]
    phone: String,
}

fn main() {
    schema![Customer, Order];
}
