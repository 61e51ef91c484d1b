use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
#[index(name, unique, partial(gt(messages, 0)))]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
    #[computed(count(LogMsg::host))]
    messages: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logmsg")]
struct LogMsg {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    host: Ref<Host>,
}

fn main() {}
