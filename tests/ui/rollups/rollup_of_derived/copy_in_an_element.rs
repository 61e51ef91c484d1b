use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[subset(of = LogMsg::host, keep = 100, order = desc(time))]
    recent: Vec<LogLine>,
}

#[derive(Embed, Serialize, Deserialize)]
struct LogLine {
    #[serde(rename = "_id")]
    id: ObjectId,
    time: DateTime,
    user_name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[copied_to(LogMsg::user_name, fan_out = 500)]
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logmsg")]
struct LogMsg {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    host: Ref<Host>,
    time: DateTime,
    user: Ref<User>,
    #[denormalize(from = user.name)]
    user_name: String,
}

fn main() {}
