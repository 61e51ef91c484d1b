use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
#[query(of_status(status), aggregate = OfStatus)]
struct Order {
    #[serde(rename = "_id")]
    id: i64,
    status: String,
    total: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "parcels")]
struct Parcel {
    #[serde(rename = "_id")]
    id: i64,
    status: String,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Parcel, by(status))]
struct OfStatus {
    status: String,
    #[count]
    count: i64,
}

fn main() {}
