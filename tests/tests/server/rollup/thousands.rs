//! Writes of many children are several transactions of 1,000 documents. Each transaction is whole or absent by itself.

use mongodb::bson::doc;
use schema_runtime::{Error, finish_writes, prelude::*, schema};
use schema_tests::{
    CommandLog, database, database_with_log,
    rollups::{Counter, Host, LogMsg, assert_nothing_left, assert_right, host, message},
};

async fn messages(db: &Database, host: i64) -> i64 {
    Host::get_by_id(db, host).await.unwrap().messages
}

/// The second thousand has a child with a missing parent: the first thousand stays, and is counted.
#[tokio::test]
async fn a_refused_thousand_leaves_the_one_before_it() {
    let (db, log) = database_with_log().await;
    schema![Host, LogMsg, Counter].plan(&db).await.unwrap().apply(&db).await.unwrap();
    Host::insert(&db, &host(1)).await.unwrap();
    let many: Vec<LogMsg> = (0..1_500).map(|id| message(id, if id == 1_200 { 9 } else { 1 })).collect();
    let error = LogMsg::insert_many(&db, &many).await.unwrap_err();
    let Error::InsertMany { inserted: 1_000, source, .. } = &error else { panic!("{error}") };
    assert!(matches!(**source, Error::DanglingReference { .. }), "{source}");
    assert_eq!(messages(&db, 1).await, 1_000);
    assert_right(&db).await;
    assert_nothing_left(&db).await;

    // The rest, then an update and a delete of all.
    let rest = many.iter().skip(1_000).filter(|message| message.id != 1_200).cloned();
    LogMsg::insert_many(&db, rest.collect::<Vec<_>>()).await.unwrap();
    assert_eq!(messages(&db, 1).await, 1_499);
    log.clear();
    LogMsg::update_many(Filter::all()).inc(LogMsg::F.bytes, 1).execute(&db).await.unwrap();
    assert_eq!(log.named("commitTransaction").len(), 2);
    assert_right(&db).await;
    log.clear();
    assert_eq!(LogMsg::delete_many(&db, Filter::all()).await.unwrap(), 1_499);
    assert_eq!(log.named("commitTransaction").len(), 2);
    assert_eq!(messages(&db, 1).await, 0);
    assert_right(&db).await;
    assert_nothing_left(&db).await;
}

/// Checks that three transactions have written 30 parents: a parent whose children are in two transactions twice,
/// another parent once.
fn assert_thirty_parents(log: &CommandLog) {
    assert_eq!(log.named("commitTransaction").len(), 3);
    let updates = log.named("update").into_iter().filter(|update| update.get_str("update").ok() == Some("hosts"));
    let parents: usize = updates.map(|update| update.get_array("updates").unwrap().len()).sum();
    assert!((30..=32).contains(&parents), "{parents} updates of 30 parents");
}

/// The parents of the children alternate. A large update or delete sorts the children by parent.
#[tokio::test]
async fn a_large_update_or_delete_writes_each_parent_in_few_transactions() {
    let (db, log) = database_with_log().await;
    schema![Host, LogMsg, Counter].plan(&db).await.unwrap().apply(&db).await.unwrap();
    Host::insert_many(&db, (1..=30).map(host).collect::<Vec<_>>()).await.unwrap();
    let children = (0..3_000).map(|id| message(id, 1 + id % 30));
    LogMsg::bulk().unordered().insert_many(children).execute(&db).await.unwrap().complete().unwrap();
    finish_writes(&db).await;

    log.clear();
    let updated = LogMsg::update_many(LogMsg::F.id.gte(0)).inc(LogMsg::F.bytes, 1).execute(&db).await.unwrap();
    assert_eq!(updated.matched, 3_000);
    assert_thirty_parents(&log);
    assert_right(&db).await;

    log.clear();
    assert_eq!(LogMsg::delete_many(&db, LogMsg::F.id.gte(0)).await.unwrap(), 3_000);
    assert_thirty_parents(&log);
    assert_right(&db).await;
    assert_nothing_left(&db).await;
}

/// More children than are sorted together.
#[tokio::test]
async fn a_delete_of_more_children_than_are_sorted_together() {
    let db = database().await;
    schema![Host, LogMsg, Counter].plan(&db).await.unwrap().apply(&db).await.unwrap();
    Host::insert_many(&db, (1..=3).map(host).collect::<Vec<_>>()).await.unwrap();
    let children = (0..20_500).map(|id| message(id, 1 + id % 3));
    LogMsg::bulk().unordered().insert_many(children).execute(&db).await.unwrap().complete().unwrap();
    assert_eq!(LogMsg::delete_many(&db, LogMsg::F.id.lt(20_400)).await.unwrap(), 20_400);
    assert_eq!(LogMsg::find(Filter::all()).count(&db).await.unwrap(), 100);
    assert_right(&db).await;
    assert_nothing_left(&db).await;
}

/// The parents of the children alternate. An unordered bulk sorts the children: few transactions write each parent. An
/// error names the position in the caller's list.
#[tokio::test]
async fn an_unordered_bulk_writes_each_parent_in_few_transactions() {
    let (db, log) = database_with_log().await;
    schema![Host, LogMsg, Counter].plan(&db).await.unwrap().apply(&db).await.unwrap();
    Host::insert_many(&db, (1..=30).map(host).collect::<Vec<_>>()).await.unwrap();
    log.clear();
    let bulk = LogMsg::bulk().unordered().insert_many((0..3_000).map(|id| message(id, 1 + id % 30)));
    assert_eq!(bulk.execute(&db).await.unwrap().complete().unwrap().inserted, 3_000);
    assert_thirty_parents(&log);
    assert_right(&db).await;

    let children = [message(5_000, 9), message(7, 3), message(5_001, 1)];
    let report = LogMsg::bulk().unordered().insert_many(&children).execute(&db).await.unwrap();
    let refused: Vec<_> = report.failures().collect();
    assert!(matches!(refused[..], [(1, Error::DuplicateKey { .. })]), "{refused:?}");
    assert_eq!(report.counts.inserted, 2);
    assert_right(&db).await;
    assert_nothing_left(&db).await;
}
