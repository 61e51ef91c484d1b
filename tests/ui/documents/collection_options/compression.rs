use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "events", compression = gzip)]
struct Event {
    #[serde(rename = "_id")]
    id: ObjectId,
}

fn main() {}
