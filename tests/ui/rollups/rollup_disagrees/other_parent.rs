use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "racks")]
struct Rack {
    #[serde(rename = "_id")] id: ObjectId,
    #[computed(count(LogMsg::host))] messages: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")] id: ObjectId,
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logmsg")]
struct LogMsg {
    #[serde(rename = "_id")] id: ObjectId,
    #[relation(one_to_squillions, parent_ref, order = desc(time))] host: Ref<Host>,
    time: DateTime, message: String, bytes: i32, note: Option<i64>,
}

fn main() {}
