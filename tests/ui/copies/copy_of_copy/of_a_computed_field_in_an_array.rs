use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[computed(count(LogMsg::host))]
    messages: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logmsg")]
struct LogMsg {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref)]
    host: Ref<Host>,
}

#[derive(Embed, Serialize, Deserialize)]
struct HostRef {
    id: Ref<Host>,
    #[denormalize(from = id.messages)]
    messages: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "racks")]
struct Rack {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, child_refs, by = id, max = 200)]
    hosts: Vec<HostRef>,
}

fn main() {}
