use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[changes(seldom)]
    #[copied_to(Message::since)]
    since: DateTime,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "messages")]
struct Message {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref)]
    host: Ref<Host>,
    #[denormalize(from = host.since)]
    since: jiff::civil::Date,
}

fn main() {}
