// 7 messages: a view has no index, no shard key, no relation, no copy, no version, no collation and no references.
use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "customers")]
struct Customer {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
struct Order {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    customer: Ref<Customer>,
    placed: DateTime,
    total: i64,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(customer))]
struct CustomerMonth {
    customer: Ref<Customer>,
    #[sum(total)]
    revenue: i64,
    #[lookup(customer.name)]
    name: Option<String>,
    #[count]
    orders: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "sales", view(of = Order, aggregate = CustomerMonth))]
#[index(revenue)]
#[shard_key(hashed(id))]
struct Sales {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    customer: Ref<Customer>,
    revenue: i64,
    #[denormalize(from = customer.name)]
    name: Option<String>,
    #[version]
    orders: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "more", view(of = Order, aggregate = CustomerMonth), collation(locale = "en"))]
struct More {
    #[serde(rename = "_id")]
    id: ObjectId,
    revenue: i64,
    name: Option<String>,
    orders: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "letters")]
struct Letter {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    sales: Ref<Total>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "totals", view(of = Order, aggregate = CustomerMonth))]
struct Total {
    #[serde(rename = "_id")]
    id: ObjectId,
    revenue: i64,
    name: Option<String>,
    orders: i64,
}

fn main() {}
