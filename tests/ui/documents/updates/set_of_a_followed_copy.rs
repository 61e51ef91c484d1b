use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    ipaddr: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logmsg")]
struct LogMsg {
    #[serde(rename = "_id")]
    id: ObjectId,
    host: Ref<Host>,
    #[denormalize(from = host.ipaddr, external)]
    ipaddr: String,
}

fn main() {
    let _ = LogMsg::update_by_id(ObjectId::new()).set(LogMsg::F.ipaddr, "10.0.0.1".to_owned());
}
