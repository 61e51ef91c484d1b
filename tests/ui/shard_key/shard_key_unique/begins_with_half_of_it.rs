use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
#[shard_key(customer, number)]
#[index(customer, slug, unique)]
struct Order {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    customer: Ref<Customer>,
    number: i64,
    #[bound(max_len = 60)]
    slug: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "customers")]
struct Customer {
    #[serde(rename = "_id")]
    id: i64,
    #[bound(max_len = 60)]
    name: String,
}

fn main() {}
