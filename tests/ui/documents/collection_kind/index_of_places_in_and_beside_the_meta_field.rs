use schema_runtime::{Point, prelude::*};

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "readings", time_series(time = at, meta = sensor))]
#[index(geo(place), geo(sensor.home))]
struct Reading {
    #[serde(rename = "_id")]
    id: ObjectId,
    at: DateTime,
    #[relation(one_to_one, embed)]
    sensor: Sensor,
    place: Point,
}

#[derive(Embed, Serialize, Deserialize)]
struct Sensor {
    home: Point,
}

fn main() {}
