use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    ipaddr: String,
}

type Hosts = Vec<Ref<Host>>;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logmsg")]
struct LogMsg {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, child_refs, max = 20)]
    hosts: Hosts,
    #[denormalize(from = hosts.ipaddr)]
    ipaddr: String,
}

fn main() {}
