use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")] id: ObjectId,
    #[subset(keep = 100)] recent: Vec<LogLine>,
}

#[derive(Embed, Serialize, Deserialize)]
struct LogLine { #[serde(rename = "_id")] id: ObjectId, time: DateTime, message: String }

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logmsg")]
struct LogMsg {
    #[serde(rename = "_id")] id: ObjectId,
    #[relation(one_to_squillions, parent_ref, order = desc(time))] host: Ref<Host>,
    time: DateTime, message: String, bytes: i32, note: Option<i64>,
}

fn main() {}
