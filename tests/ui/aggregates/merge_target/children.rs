use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "messages")]
struct LogMsg {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref)]
    host: Ref<Host>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "reports")]
struct Report {
    #[serde(rename = "_id")]
    id: ObjectId,
    messages: i64,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Host, into = Report)]
struct HostStats {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[count(LogMsg::host)]
    messages: i64,
}

fn main() {
    let _ = Host::aggregate::<HostStats>();
}
