use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: i64,
    #[changes(seldom)]
    #[copied_to(LogMsg::ipaddr)]
    ipaddr: String,
    #[changes(seldom)]
    #[copied_to(LogMsg::name)]
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logmsg")]
#[query(from(host), select = Line)]
struct LogMsg {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    host: Ref<Host>,
    #[denormalize(from = host.ipaddr)]
    ipaddr: String,
    #[denormalize(from = host.name)]
    name: String,
}

#[derive(Projection, Deserialize)]
#[projection(of = LogMsg)]
struct Line {
    name: String,
}

fn main() {}
