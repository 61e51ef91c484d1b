use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "events", capped(max = 100))]
struct Event {
    #[serde(rename = "_id")]
    id: ObjectId,
}

fn main() {}
