use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts", read_only)]
struct Host {
    #[serde(rename = "_id")]
    id: i64,
    #[computed(count(LogMsg::host))]
    messages: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logmsg")]
struct LogMsg {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    host: Ref<Host>,
}

fn main() {}
