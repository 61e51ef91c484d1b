use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
#[inverse(messages = Message::host)]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "messages", bucket(size = 50))]
struct Message {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[immutable]
    #[relation(one_to_squillions, parent_ref, order = asc(time))]
    host: Ref<Host>,
    time: DateTime,
    #[immutable]
    size: i64,
}

fn main() {}
