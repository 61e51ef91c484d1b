use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: i64,
    #[copied_to(LogMsg::ipaddr)]
    #[changes(seldom)]
    ipaddr: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logmsg", insert_only)]
struct LogMsg {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    host: Ref<Host>,
    #[denormalize(from = host.ipaddr)]
    ipaddr: String,
}

fn main() {}
