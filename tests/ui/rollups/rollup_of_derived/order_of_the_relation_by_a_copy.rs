use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[subset(of = LogMsg::host, keep = 100)]
    first: Vec<LogLine>,
}

#[derive(Embed, Serialize, Deserialize)]
struct LogLine {
    #[serde(rename = "_id")]
    id: ObjectId,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[copied_to(LogMsg::rank, fan_out = 500)]
    rank: i32,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logmsg")]
struct LogMsg {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref, order = desc(rank))]
    host: Ref<Host>,
    user: Ref<User>,
    #[denormalize(from = user.rank)]
    rank: i32,
}

fn main() {}
