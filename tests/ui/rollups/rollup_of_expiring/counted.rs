use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[computed(count(LogMsg::host))]
    messages: i64,
    #[computed(max(LogMsg::host, time))]
    last: Option<DateTime>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logmsg")]
struct LogMsg {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref)]
    host: Ref<Host>,
    #[index(ttl = "30d")]
    time: DateTime,
}

fn main() {}
