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
#[shard_key(host, time)]
#[query(since(gte(time)), limit = 100, per_day = 50_000)]
#[query(latest(host), order = desc(time), limit = 100, per_day = 200)]
struct LogMsg {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref)]
    host: Ref<Host>,
    time: DateTime,
}

fn main() {}
