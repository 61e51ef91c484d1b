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
    #[relation(one_to_many, child_refs, max = 20)]
    hosts: Vec<Ref<Host>>,
    #[denormalize(from = hosts.ipaddr)]
    ipaddr: String,
}

fn main() {}
