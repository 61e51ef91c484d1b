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
    #[tree(parent, max_depth = 16)]
    parent: Option<Ref<Report>>,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(status), into = Report)]
struct OfStatus {
    status: String,
}

fn main() {}
