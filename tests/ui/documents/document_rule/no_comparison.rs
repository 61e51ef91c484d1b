use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "events", check(min = 0))]
struct Event {
    #[serde(rename = "_id")]
    id: ObjectId,
    starts: DateTime,
}

fn main() {}
