use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "readings", time_series(time = at, meta = sensor))]
#[index(place, partial(gt(value, 5)), collation(locale = "nb"))]
struct Reading {
    #[serde(rename = "_id")]
    id: ObjectId,
    at: DateTime,
    sensor: i32,
    value: i64,
    place: String,
}

fn main() {}
