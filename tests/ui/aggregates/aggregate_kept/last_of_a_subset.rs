use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
    #[subset(of = LogMsg::host, keep = 10, order = desc(time))]
    recent: Vec<Line>,
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

#[derive(Embed, Serialize, Deserialize)]
struct Line {
    #[serde(rename = "_id")]
    id: ObjectId,
    time: DateTime,
    bytes: i64,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Host)]
struct Row {
    id: ObjectId,
    #[last(LogMsg::host, bytes, order = asc(time))]
    newest: Option<i64>,
}

fn main() {
    let _ = Host::aggregate::<Row>().sort(Row::F.id.asc());
}
