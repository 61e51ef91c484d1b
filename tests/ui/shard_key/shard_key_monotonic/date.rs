use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: i64,
    #[bound(max_len = 60)]
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logmsg")]
#[shard_key(time, host)]
struct LogMsg {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref)]
    host: Ref<Host>,
    time: DateTime,
}

fn main() {}
