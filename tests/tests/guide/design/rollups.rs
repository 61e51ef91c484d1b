//! The commands of rollups.

use schema_runtime::{prelude::*, schema};

use super::{Block, database_with_log};

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "topics")]
pub(crate) struct Topic {
    #[serde(rename = "_id")]
    id: i64,
    title: String,
    #[computed(count(Reply::topic))]
    replies: i64,
    #[computed(max(Reply::topic, at))]
    last: Option<DateTime>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "replies")]
pub(crate) struct Reply {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref, order = desc(at))]
    topic: Ref<Topic>,
    at: DateTime,
}

#[tokio::test]
async fn the_pages_show_the_commands() -> Result<()> {
    let (db, log) = database_with_log(&schema![Topic, Reply]).await;
    Topic::insert(&db, &Topic { id: 1, title: "one".to_owned(), replies: 0, last: None }).await?;
    schema_runtime::finish_writes(&db).await;
    log.clear();
    let mut block = Block::read("design/rollups.md", 0);
    let reply = Reply { id: 1, topic: Ref::new(1), at: DateTime::from_millis(1_000) };
    Reply::insert(&db, &reply).await?;
    block.take_all(&log);
    Reply::delete(&db, &reply).await?;
    block.take_all(&log);
    block.end();

    let mut block = Block::read("design/replica_set.md", 0);
    Reply::insert(&db, &reply).await?;
    block.take_all(&log);
    block.end();
    Ok(())
}
