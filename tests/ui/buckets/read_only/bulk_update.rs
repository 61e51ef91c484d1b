use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "measurements", insert_only)]
struct Measurement {
    #[serde(rename = "_id")]
    id: i64,
}

fn main() {
    let _ = Measurement::bulk().insert(&Measurement { id: 1 }).delete_many(Filter::all());
}
