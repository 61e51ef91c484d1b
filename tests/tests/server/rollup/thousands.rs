//! Writes of many children are several transactions of 1,000 documents. Each transaction is whole or absent by itself.

use mongodb::bson::doc;
use schema_runtime::{Error, prelude::*, schema};
use schema_tests::{
    database_with_log,
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
    LogMsg::update_many(Filter::all()).inc(LogMsg::F.bytes, 1).run(&db).await.unwrap();
    assert_eq!(log.named("commitTransaction").len(), 2);
    assert_right(&db).await;
    log.clear();
    assert_eq!(LogMsg::delete_many(&db, Filter::all()).await.unwrap(), 1_499);
    assert_eq!(log.named("commitTransaction").len(), 2);
    assert_eq!(messages(&db, 1).await, 0);
    assert_right(&db).await;
    assert_nothing_left(&db).await;
}

/// The parents of the children alternate. An unordered bulk sorts the children: few transactions write each parent. An error names the
/// position in the caller's list.
#[tokio::test]
async fn an_unordered_bulk_writes_each_parent_in_few_transactions() {
    let (db, log) = database_with_log().await;
    schema![Host, LogMsg, Counter].plan(&db).await.unwrap().apply(&db).await.unwrap();
    Host::insert_many(&db, (1..=30).map(host).collect::<Vec<_>>()).await.unwrap();
    log.clear();
    let bulk = LogMsg::bulk().unordered().insert_many((0..3_000).map(|id| message(id, 1 + id % 30)));
    assert_eq!(bulk.run(&db).await.unwrap().complete().unwrap().inserted, 3_000);
    assert_eq!(log.named("commitTransaction").len(), 3);
    let updates = log.named("update").into_iter().filter(|update| update.get_str("update").ok() == Some("hosts"));
    let parents: usize = updates.map(|update| update.get_array("updates").unwrap().len()).sum();
    assert!((30..=32).contains(&parents), "{parents} updates of 30 parents");
    assert_right(&db).await;

    let children = [message(5_000, 9), message(7, 3), message(5_001, 1)];
    let report = LogMsg::bulk().unordered().insert_many(&children).run(&db).await.unwrap();
    let refused: Vec<_> = report.failures().collect();
    assert!(matches!(refused[..], [(1, Error::DuplicateKey { .. })]), "{refused:?}");
    assert_eq!(report.counts.inserted, 2);
    assert_right(&db).await;
    assert_nothing_left(&db).await;
}
