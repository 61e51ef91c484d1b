use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "readings", time_series(time = at, meta = sensor))]
struct Reading {
    #[serde(rename = "_id")]
    id: ObjectId,
    at: DateTime,
    sensor: i32,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "charts")]
struct Chart {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, child_refs, max = 9)]
    readings: Vec<Ref<Reading>>,
}

fn main() {}
