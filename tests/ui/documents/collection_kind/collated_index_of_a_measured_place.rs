use schema_runtime::{Point, prelude::*};

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "readings", time_series(time = at, meta = sensor))]
#[index(geo(place), case_insensitive)]
struct Reading {
    #[serde(rename = "_id")]
    id: ObjectId,
    at: DateTime,
    sensor: i32,
    place: Point,
}

fn main() {}
