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
#[model(collection = "reports")]
struct Report {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[index(unique)]
    status: String,
    #[history(keep = 50)]
    totals: Vec<i64>,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(status), into = Report)]
struct OfStatus {
    status: String,
    #[collect(total, max = 50)]
    totals: Vec<i64>,
}

fn main() {}
