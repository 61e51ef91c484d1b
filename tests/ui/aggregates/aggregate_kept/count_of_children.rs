use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
    #[computed(count(LogMsg::host))]
    messages: i64,
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
    #[count(LogMsg::host)]
    n: i64,
    #[count(LogMsg::host, where(gte(bytes, 1_000)))]
    large: i64,
}

fn main() {
    let _ = Host::aggregate::<Row>().sort(Row::F.id.asc());
}
