use schema_runtime::prelude::*;
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, child_refs, max = 9, allow(two_way_undeclared, reason = "the latest are of all"))]
    latest: Vec<Ref<Log>>,
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
    Host::LATEST.load(db, &logs).await?;
    Ok(())
}
fn main() {}
