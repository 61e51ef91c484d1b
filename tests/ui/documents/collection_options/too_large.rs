use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "events", capped(size = "1025TiB"))]
struct Event {
    #[serde(rename = "_id")]
    id: ObjectId,
}

fn main() {}
