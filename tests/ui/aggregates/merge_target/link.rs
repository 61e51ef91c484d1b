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
    #[relation(many_to_many, two_way, inverse = reports, max = 10)]
    readers: Vec<Ref<Reader>>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "readers")]
struct Reader {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(many_to_many, two_way, of = Report::readers, max = 10)]
    reports: Vec<Ref<Report>>,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(status), into = Report)]
struct OfStatus {
    status: String,
}

fn main() {}
