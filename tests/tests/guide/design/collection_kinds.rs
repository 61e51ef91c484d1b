//! The commands that make collections of several kinds, and the commands of the documents.

use schema_runtime::{prelude::*, schema};

use super::Block;
use crate::blocks::assert_reads;

/// The words of a command that reads the server or the state of a collection.
const READS: [&str; 4] = ["buildInfo: 1", "hello: 1", "listCollections: 1", "listIndexes: "];

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "readings", time_series(time = at, meta = sensor, granularity = minutes, ttl = "90d"))]
#[index(sensor, desc(at))]
struct Reading {
    #[serde(rename = "_id")]
    id: ObjectId,
    at: DateTime,
    sensor: i32,
    celsius: f64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "events", capped(size = "64MiB", max = 10_000))]
struct Event {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[bound(max_len = 200)]
    text: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "frost", view(of = Reading, filter(lt(celsius, 0.0))))]
struct Frost {
    #[serde(rename = "_id")]
    id: ObjectId,
    at: DateTime,
    celsius: f64,
}

/// The model `Event` with more documents.
mod larger {
    use super::*;

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "events", capped(size = "64MiB", max = 20_000))]
    pub(super) struct Event {
        #[serde(rename = "_id")]
        pub(super) id: ObjectId,
        #[bound(max_len = 200)]
        pub(super) text: String,
    }
}

#[tokio::test]
async fn the_page_shows_the_commands() -> Result<()> {
    let (db, log) = schema_tests::database_with_log().await;
    let mut block = Block::read("design/collection_kinds.md", 0);
    schema![Reading, Event, Frost].create(&db).await?;
    assert_reads(&block.take(&log), &READS);
    let reading = Reading { id: ObjectId::new(), at: DateTime::now(), sensor: 7, celsius: -3.5 };
    Reading::insert(&db, &reading).await?;
    block.take_all(&log);
    assert_eq!(Frost::find(Filter::all()).count(&db).await?, 1);
    block.take_all(&log);
    let plan = schema![larger::Event].plan(&db).await?;
    log.clear();
    plan.apply(&db).await?.complete()?;
    assert_reads(&block.take(&log), &READS);
    block.end();
    Ok(())
}
