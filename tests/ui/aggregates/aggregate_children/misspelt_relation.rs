use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
    load: i64,
    nick: Option<String>,
    #[relation(one_to_few, embed, max = 5)]
    disks: Vec<Disk>,
}

#[derive(Embed, Serialize, Deserialize)]
struct Disk {
    size: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logmsg")]
struct LogMsg {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref, order = desc(time))]
    host: Ref<Host>,
    bytes: i64,
    text: String,
    time: DateTime,
}

#[derive(Projection, Deserialize)]
#[projection(of = LogMsg)]
struct LogLine {
    bytes: i64,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Host)]
struct Row {
    id: ObjectId,
    #[count(LogMsg::hots)]
    n: i64,
}

fn main() {
    let _ = Host::aggregate::<Row>().sort(Row::F.id.asc());
}
