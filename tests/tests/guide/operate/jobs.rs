//! The commands of `verify` and of `repair`.

use schema_runtime::{MaintenanceKind, Throttle, prelude::*, schema};
use schema_tests::CommandLog;

use super::{Block, database_with_log};
use crate::design::copies::{Host, LogMsg};

fn host(id: i64) -> Host {
    Host { id, ipaddr: "127.0.0.1".to_owned() }
}

fn message(id: i64) -> LogMsg {
    LogMsg { id, host: Ref::new(id), ipaddr: String::new(), time: DateTime::from_millis(id * 1_000) }
}

/// Returns a database with two hosts and a message of each, and a log of the commands that follow.
async fn database_with_messages() -> Result<(Database, CommandLog)> {
    let (db, log) = database_with_log(&schema![Host, LogMsg]).await;
    Host::insert_many(&db, [1, 2].map(host)).await?;
    LogMsg::insert_many(&db, [1, 2].map(message)).await?;
    log.clear();
    Ok((db, log))
}

#[tokio::test]
async fn the_page_shows_the_commands_of_verify() -> Result<()> {
    let (db, log) = database_with_messages().await?;
    let mut block = Block::read("operate/jobs.md", 0);
    let report = schema![Host, LogMsg].verify(&db).await?;
    assert!(report.is_clean(), "{report}");
    block.take_all(&log);
    block.end();
    Ok(())
}

#[tokio::test]
async fn the_page_shows_the_commands_of_repair() -> Result<()> {
    let (db, log) = database_with_messages().await?;
    // A write past the crate makes the copy wrong.
    LogMsg::collection(&db).update_one(doc! { "_id": 1 }, doc! { "$set": { "ipaddr": "127.0.0.9" } }).await?;
    log.clear();
    let mut block = Block::read("operate/jobs.md", 1);
    let report = schema![Host, LogMsg].repair(&db, &Throttle::new()).await?;
    assert_eq!((report.found(MaintenanceKind::StaleCopy), report.refused()), (1, 0), "{report}");
    block.take_all(&log);
    block.end();
    Ok(())
}
