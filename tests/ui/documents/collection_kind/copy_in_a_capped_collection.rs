use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[copied_to(Event::name, fan_out = 10)]
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "events", capped(size = "1MiB"))]
struct Event {
    #[serde(rename = "_id")]
    id: ObjectId,
    host: Ref<Host>,
    #[denormalize(from = host.name)]
    name: String,
}

fn main() {}
