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
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    host: Ref<Host>,
}

async fn run(db: &Database, logs: Vec<Log>) -> schema_runtime::Result<()> {
    Host::LOGS.load(db, &logs).await?;
    Ok(())
}
fn main() {}
