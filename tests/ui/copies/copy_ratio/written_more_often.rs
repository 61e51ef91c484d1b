use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: i64,
    #[changes(seldom, per_day = 5)]
    #[copied_to(LogMsg::ipaddr, fan_out = 1_000)]
    ipaddr: String,
    #[changes(seldom)]
    #[copied_to(LogMsg::name, fan_out = 1_000)]
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logmsg")]
#[query(of_address(ipaddr), per_day = 2_000)]
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
