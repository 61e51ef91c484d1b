//! The commands of shard keys, and the commands of reads and writes with a shard key. The test server is no cluster, so
//! the plans go to the router of the tests, before a config server and two real shards.

use std::{
    fs,
    sync::{Arc, Mutex, PoisonError},
};

use mongodb::{
    Client,
    event::{EventHandler, command::CommandEvent},
    options::ClientOptions,
};
use schema_runtime::{apply::ApplyOptions, prelude::*, schema};
use schema_tests::router;

use super::{Block, database_with_log};
use crate::{page, shell};

const PAGE: &str = "design/sharding.md";

/// The commands that give a collection a shard key.
const COMMANDS: [&str; 3] = ["shardCollection", "refineCollectionShardKey", "reshardCollection"];

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
#[shard_key(hashed(id))]
struct Host {
    #[serde(rename = "_id")]
    id: i64,
    #[bound(max_len = 60)]
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logmsg")]
#[shard_key(host, time)]
#[query(latest(host), order = desc(time), limit = 100, per_day = 20_000)]
struct LogMsg {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    host: Ref<Host>,
    time: DateTime,
}

/// The model `LogMsg` with a longer key.
mod refined {
    use super::*;

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "logmsg")]
    #[shard_key(host, time, id)]
    pub(super) struct LogMsg {
        #[serde(rename = "_id")]
        id: i64,
        #[relation(one_to_squillions, parent_ref)]
        host: Ref<Host>,
        time: DateTime,
    }
}

/// The model `LogMsg` with another key.
mod other {
    use super::*;

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "logmsg")]
    #[shard_key(host, id)]
    pub(super) struct LogMsg {
        #[serde(rename = "_id")]
        id: i64,
        #[relation(one_to_squillions, parent_ref)]
        host: Ref<Host>,
        time: DateTime,
    }
}

fn message(id: i64) -> LogMsg {
    LogMsg { id, host: Ref::new(id % 20), time: DateTime::from_millis(id * 1_000) }
}

/// The lines of commands, in order.
type Lines = Arc<Mutex<Vec<String>>>;

/// Returns the database `shop` of a cluster, and the commands of shard keys that the client sends.
async fn cluster_with_lines() -> (Database, Lines) {
    let lines = Lines::default();
    let kept = Arc::clone(&lines);
    let handler = EventHandler::callback(move |event| {
        let CommandEvent::Started(event) = event else { return };
        if event.db == "admin" && COMMANDS.contains(&event.command_name.as_str()) {
            let sent = shell::lines(&event.command_name, &event.command);
            let sent = sent.iter().map(|line| line.replacen("db.runCommand(", "db.adminCommand(", 1));
            kept.lock().unwrap_or_else(PoisonError::into_inner).extend(sent);
        }
    });
    let mut options = ClientOptions::parse(router().await.uri()).await.expect("a valid connection string");
    options.command_event_handler = Some(handler);
    (Client::with_options(options).expect("a client").database("shop"), lines)
}

/// Returns the commands of shard keys that the page shows.
fn shown() -> Vec<String> {
    let text = fs::read_to_string(page(PAGE)).expect("a page");
    text.lines().filter(|line| line.starts_with("db.adminCommand(")).map(str::to_owned).collect()
}

#[tokio::test]
async fn the_page_shows_the_commands_of_shard_keys() -> Result<()> {
    let (db, lines) = cluster_with_lines().await;
    schema![Host, LogMsg].plan(&db).await?.apply(&db).await?.complete()?;
    LogMsg::insert_many(&db, (0..300).map(message)).await?;
    schema![Host, refined::LogMsg].plan(&db).await?.apply(&db).await?.complete()?;
    let plan = schema![Host, other::LogMsg].plan(&db).await?;
    plan.apply_with(&db, ApplyOptions::new().reshard(true)).await?.complete()?;
    assert_eq!(*lines.lock().unwrap_or_else(PoisonError::into_inner), shown());
    Ok(())
}

#[tokio::test]
async fn the_page_shows_the_commands_of_documents() -> Result<()> {
    let (db, log) = database_with_log(&schema![Host, LogMsg]).await;
    let message = message(1);
    LogMsg::insert(&db, &message).await?;
    log.clear();
    let mut block = Block::read(PAGE, 1);
    assert_eq!(LogMsg::latest(Ref::<Host>::new(1)).fetch_all(&db).await?.len(), 1);
    block.take_all(&log);
    let moved = LogMsg { id: 1, host: Ref::new(2), time: message.time };
    LogMsg::change_shard_key(&db, &message, &moved).await?;
    block.take_all(&log);
    assert!(LogMsg::delete(&db, &moved).await?);
    block.take_all(&log);
    block.end();
    Ok(())
}
