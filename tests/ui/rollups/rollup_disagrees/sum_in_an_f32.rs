// 3 messages: each field is judged by itself.
use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: i64,
    #[computed(sum(LogMsg::host, load))]
    load: f32,
    #[computed(max(LogMsg::host, exact))]
    most: Option<f32>,
    #[computed(avg(LogMsg::host, exact))]
    average: Option<f32>,
    #[computed(avg(LogMsg::host, load))]
    mean: Option<f32>,
    #[computed(min(LogMsg::host, load))]
    least: Option<f64>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logmsg")]
struct LogMsg {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    host: Ref<Host>,
    load: f32,
    exact: f64,
}

fn main() {}
