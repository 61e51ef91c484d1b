//! Updates and deletes of a bulk, each of a different child, share a transaction.

use mongodb::bson::doc;
use schema_runtime::{Error, finish_writes, prelude::*, schema};
use schema_tests::{
    database_with_log,
    rollups::{Counter, Host, LogMsg, assert_nothing_left, assert_right, counter, host, message},
};

async fn prepare() -> (Database, schema_tests::CommandLog) {
    let (db, log) = database_with_log().await;
    schema![Host, LogMsg, Counter].plan(&db).await.unwrap().apply(&db).await.unwrap();
    Host::insert_many(&db, &[host(1), host(2)]).await.unwrap();
    Counter::insert(&db, &counter(1)).await.unwrap();
    LogMsg::insert_many(&db, (0..300).map(|id| message(id, 1 + id % 2))).await.unwrap();
    finish_writes(&db).await;
    log.clear();
    (db, log)
}

#[tokio::test]
async fn different_updates_are_few_commands() {
    let (db, log) = prepare().await;
    let mut bulk = LogMsg::bulk();
    for id in 0..300 {
        let update = LogMsg::update_by_id(id);
        bulk = bulk.update(match id % 3 {
            0 => update.set(LogMsg::F.bytes, id as i32 + 1_000),
            1 => update.inc(LogMsg::F.bytes, 5),
            _ => update.set(LogMsg::F.host, Ref::new(2)).set(LogMsg::F.text, "moved"),
        });
    }
    let counts = bulk.execute(&db).await.unwrap().complete().unwrap();
    assert_eq!((counts.matched, counts.modified), (300, 300));
    assert!(log.commands().len() < 12, "{:?}", log.commands().iter().map(|(name, _)| name).collect::<Vec<_>>());
    assert_right(&db).await;
    assert_nothing_left(&db).await;
}

#[tokio::test]
async fn deletes_by_id_are_few_commands() {
    let (db, log) = prepare().await;
    let bulk = (0..250).fold(LogMsg::bulk(), |bulk, id| bulk.delete_by_id(id));
    let bulk = (5_000..5_010).fold(bulk, |bulk, id| bulk.delete_by_id(id));
    assert_eq!(bulk.execute(&db).await.unwrap().complete().unwrap().deleted, 250);
    assert!(log.commands().len() < 20, "{:?}", log.commands().iter().map(|(name, _)| name).collect::<Vec<_>>());
    assert_right(&db).await;
    assert_nothing_left(&db).await;
}

/// A bulk with a repeated document, a missing document and an update without a change: each update counts as if it were
/// sent alone.
#[tokio::test]
async fn updates_that_do_not_match() {
    let (db, _) = prepare().await;
    let set = |id: i64, bytes: i32| LogMsg::update_by_id(id).set(LogMsg::F.bytes, bytes);
    let bulk =
        LogMsg::bulk().update(set(1, 9)).update(set(1, 10)).update(set(999, 1)).update(set(2, 7)).update(set(2, 7));
    let report = bulk.execute(&db).await.unwrap();
    assert_eq!((report.counts.matched, report.counts.modified, report.counts.unmatched), (4, 3, Some(1)));
    assert_eq!(LogMsg::get_by_id(&db, 1).await.unwrap().bytes, 10);
    assert_right(&db).await;
    assert_nothing_left(&db).await;
}

/// The server refuses an update: an ordered bulk stops at the update, and an unordered bulk does all remaining updates.
#[tokio::test]
async fn one_that_is_refused() {
    let (db, _) = prepare().await;
    let least =
        doc! { "collMod": "logmsg", "validator": { "$or": [{ "_id": { "$ne": 5_i64 } }, { "size": { "$lt": 900 } }] } };
    db.run_command(least).await.unwrap();
    let set = |id: i64| LogMsg::update_by_id(id).set(LogMsg::F.bytes, 950);
    let ordered = (0..10).fold(LogMsg::bulk(), |bulk, id| bulk.update(set(id)));
    let report = ordered.execute(&db).await.unwrap();
    assert_eq!(report.counts.matched, 5);
    assert!(matches!(report.failures().next(), Some((5, Error::DocumentInvalid { .. }))), "{report:?}");
    assert_right(&db).await;
    let unordered = (0..10).fold(LogMsg::bulk().unordered(), |bulk, id| bulk.update(set(id)));
    let report = unordered.execute(&db).await.unwrap();
    assert_eq!((report.counts.matched, report.failures().count()), (9, 1), "{report:?}");
    assert_right(&db).await;
    assert_nothing_left(&db).await;
}
