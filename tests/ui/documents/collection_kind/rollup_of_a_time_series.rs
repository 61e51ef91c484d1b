use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
#[inverse(logged = Event::host)]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[computed(count(Event::host))]
    events: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "events", time_series(time = at))]
struct Event {
    #[serde(rename = "_id")]
    id: ObjectId,
    at: DateTime,
    #[relation(one_to_squillions, parent_ref, inverse = logged)]
    host: Ref<Host>,
}

fn main() {}
