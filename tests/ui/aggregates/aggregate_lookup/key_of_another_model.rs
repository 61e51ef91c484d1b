use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
struct Order {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref)]
    customer: Ref<Customer>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "customers")]
struct Customer {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "suppliers")]
struct Supplier {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(customer))]
struct Row {
    customer: Ref<Supplier>,
    #[lookup(customer.name)]
    name: Option<String>,
}

fn main() {
    let _ = Order::aggregate::<Row>();
}
