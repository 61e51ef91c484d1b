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
    #[computed(count(Note::report))]
    notes: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "notes")]
struct Note {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref)]
    report: Ref<Report>,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(status), into = Report)]
struct OfStatus {
    status: String,
    #[count]
    notes: i64,
}

fn main() {}
