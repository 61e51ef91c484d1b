use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "events", capped(size = "1MiB"))]
struct Event {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[index(ttl = "1h")]
    at: DateTime,
}

fn main() {}
