// 3 messages: a message for each kind of collection.
use schema_runtime::prelude::*;
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "readings", time_series(time = at, meta = sensor))]
#[search_index(sensor = facet)]
struct Reading {
    #[serde(rename = "_id")]
    id: ObjectId,
    at: DateTime,
    sensor: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "shown", view(of = Product))]
#[search_index(title = text)]
struct Shown {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
#[inverse(events = Event::host)]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "events", bucket(size = 50))]
#[search_index(text = text)]
struct Event {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref, inverse = events)]
    host: Ref<Host>,
    #[bound(max_len = 100)]
    text: String,
}

fn main() {}
