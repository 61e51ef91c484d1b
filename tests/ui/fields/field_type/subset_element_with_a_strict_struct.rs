use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: i64,
    #[subset(of = LogMsg::host, keep = 100, order = desc(time))]
    recent: Vec<LogLine>,
    #[subset(of = LogMsg::host, keep = 10, order = desc(time))]
    times: Vec<Time>,
}

#[derive(Embed, Serialize, Deserialize)]
struct LogLine {
    #[serde(rename = "_id")]
    id: i64,
    time: DateTime,
    origin: Program,
}

/// An element has what its struct has and nothing else.
#[derive(Embed, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Time {
    #[serde(rename = "_id")]
    id: i64,
    time: DateTime,
}

#[derive(Embed, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Program {
    program: i32,
}

#[derive(Embed, Serialize, Deserialize)]
struct Origin {
    program: i32,
    process: i32,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logmsg")]
struct LogMsg {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref, order = desc(time))]
    host: Ref<Host>,
    time: DateTime,
    origin: Origin,
}

fn main() {}
