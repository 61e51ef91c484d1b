use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
#[inverse(messages = LogMsg::host)]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[computed(sum(LogMsg::host, bytes))]
    bytes: Bytes,
}

#[derive(Embed, Serialize, Deserialize)]
struct Bytes(#[check(min = 0)] i64);

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logmsgs")]
struct LogMsg {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref)]
    host: Ref<Host>,
    bytes: i64,
}

fn main() {}
