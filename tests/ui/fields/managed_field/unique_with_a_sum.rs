use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
#[index(name, bytes, unique)]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
    #[computed(sum(LogMsg::host, bytes))]
    bytes: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logmsg")]
struct LogMsg {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    host: Ref<Host>,
    bytes: i32,
}

fn main() {}
