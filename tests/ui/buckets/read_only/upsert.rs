use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "measurements", read_only)]
struct Measurement {
    #[serde(rename = "_id")]
    id: i64,
}

fn upsert(db: &Database, measurement: &Measurement) {
    drop(Measurement::upsert(db, measurement));
}

fn main() {}
