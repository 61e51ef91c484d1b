use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[copied_to(LogMsg::rank)]
    rank: i32,
    #[computed(max(LogMsg::host, rank))]
    highest: Option<i32>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logmsg")]
struct LogMsg {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    host: Ref<Host>,
    #[denormalize(from = host.rank)]
    rank: i32,
}

fn main() {}
