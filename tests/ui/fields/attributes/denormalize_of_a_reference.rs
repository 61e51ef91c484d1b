use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[copied_to(LogMsg::twin)]
    twin: Ref<Host>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logmsg")]
struct LogMsg {
    #[serde(rename = "_id")]
    id: ObjectId,
    host: Ref<Host>,
    #[denormalize(from = host.twin)]
    twin: Ref<Host>,
}

fn main() {}
