use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
#[query(named(name), select = Name)]
struct Host {
    #[serde(rename = "_id")]
    id: i64,
    name: String,
    #[subset(of = LogMsg::host, keep = 10, order = desc(time))]
    recent: Vec<Line>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logmsg")]
struct LogMsg {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref, order = desc(time))]
    host: Ref<Host>,
    time: DateTime,
}

#[derive(Embed, Serialize, Deserialize)]
struct Line {
    #[serde(rename = "_id")]
    id: i64,
    time: DateTime,
}

#[derive(Projection, Deserialize)]
#[projection(of = Host)]
struct Name {
    name: String,
}

fn main() {}
