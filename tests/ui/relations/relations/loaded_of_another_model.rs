use schema_runtime::prelude::*;
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
#[inverse(logs = Log::host)]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
}
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logs")]
struct Log {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, parent_ref)]
    host: Ref<Host>,
}

async fn run(db: &Database, hosts: Vec<Host>, log: Log) -> schema_runtime::Result<()> {
    let logs = Host::LOGS.load(db, &hosts).await?;
    let _ = logs.of(log.id).first();
    Ok(())
}
fn main() {}
