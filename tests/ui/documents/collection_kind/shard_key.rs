use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "events", capped(size = "1MiB"))]
#[shard_key(host)]
struct Event {
    #[serde(rename = "_id")]
    id: ObjectId,
    host: ObjectId,
}

fn main() {}
