use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[computed(count(LogMsg::host))]
    messages: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logmsg")]
struct LogMsg {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref)]
    host: Ref<Host>,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Host, allow(aggregate_kept))]
struct Row {
    id: ObjectId,
    #[count(LogMsg::host)]
    n: i64,
}

fn main() {
    let _ = Host::aggregate::<Row>().sort(Row::F.id.asc());
}
