use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "events", capped(size = "64M"))]
struct Event {
    #[serde(rename = "_id")]
    id: ObjectId,
}

fn main() {}
