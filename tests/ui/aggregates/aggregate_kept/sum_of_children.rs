use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
    #[computed(sum(LogMsg::host, bytes))]
    traffic: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logmsg")]
struct LogMsg {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref, order = desc(time))]
    host: Ref<Host>,
    bytes: i64,
    time: DateTime,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Host)]
struct Row {
    id: ObjectId,
    #[sum(LogMsg::host, bytes)]
    bytes: i64,
    #[sum(LogMsg::host, bytes * 8)]
    bits: i64,
}

fn main() {
    let _ = Host::aggregate::<Row>().sort(Row::F.id.asc());
}
