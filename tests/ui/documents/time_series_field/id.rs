use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "readings", time_series(time = id))]
struct Reading {
    #[serde(rename = "_id")]
    id: DateTime,
}

fn main() {}
