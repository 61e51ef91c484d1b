use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[copied_to(LogMsg::host)]
    ipaddr: String,
}

#[derive(Embed, Serialize, Deserialize)]
struct HostRef {
    id: Ref<Host>,
    #[denormalize(from = id.ipaddr)]
    ipaddr: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logmsg")]
struct LogMsg {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref, by = id)]
    host: HostRef,
}

fn main() {}
