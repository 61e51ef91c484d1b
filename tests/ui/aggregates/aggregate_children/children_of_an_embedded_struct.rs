use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
}

#[derive(Embed, Serialize, Deserialize)]
struct LogMsg {
    host: ObjectId,
    bytes: i64,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Host)]
struct Row {
    id: ObjectId,
    #[count(LogMsg::host)]
    n: i64,
    #[sum(LogMsg::host, bytes)]
    bytes: i64,
}

fn main() {
    let _ = Host::aggregate::<Row>().sort(Row::F.id.asc());
}
