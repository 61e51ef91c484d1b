use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "events", clustered, capped(size = "1MiB"))]
struct Event {
    #[serde(rename = "_id")]
    id: ObjectId,
}

fn main() {}
