use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logmsgs")]
#[shard_key(hsot, time)]
struct LogMsg {
    #[serde(rename = "_id")]
    id: ObjectId,
    host: i32,
    time: DateTime,
}

async fn read(db: &Database) -> Result<()> {
    LogMsg::find(LogMsg::by_shard_key(1, DateTime::now())).fetch_all(db).await?;
    Ok(())
}

fn main() {}
