use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logmsg", bucket(size = 100))]
struct LogMsg {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref, order = asc(time))]
    host: Ref<Host>,
    time: DateTime,
    #[hidden]
    #[bound(max_len = 40)]
    token: Hidden<String>,
}

fn main() {}
