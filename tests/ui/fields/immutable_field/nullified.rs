use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
#[inverse(messages = Message::host, on_delete = nullify)]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "messages")]
struct Message {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[immutable]
    #[relation(one_to_many, parent_ref)]
    host: Option<Ref<Host>>,
}

fn main() {}
