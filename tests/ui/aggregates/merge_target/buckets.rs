use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
struct Order {
    #[serde(rename = "_id")]
    id: ObjectId,
    status: String,
    total: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "reports", bucket(size = 50))]
struct Report {
    #[serde(rename = "_id")]
    id: ObjectId,
    status: String,
    #[relation(one_to_squillions, parent_ref)]
    shop: Ref<Shop>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "shops")]
struct Shop {
    #[serde(rename = "_id")]
    id: ObjectId,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(status), into = Report)]
struct OfStatus {
    status: String,
}

fn main() {}
