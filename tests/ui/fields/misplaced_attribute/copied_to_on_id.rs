use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    #[copied_to(LogMsg::host)]
    id: ObjectId,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logmsg")]
struct LogMsg {
    #[serde(rename = "_id")]
    id: ObjectId,
    host: Ref<Host>,
}

fn main() {}
