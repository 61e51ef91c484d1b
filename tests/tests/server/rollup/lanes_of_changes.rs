//! Concurrent updates and deletes by `_id` of a collection share transactions, and each write has its own outcome.

use futures_util::future::join_all;
use schema_runtime::{Error, finish_writes, prelude::*, schema};
use schema_tests::{
    CommandLog, database_with_log,
    rollups::{Counter, Host, LogMsg, all, assert_nothing_left, assert_right, counter, host, message},
};

/// The number of messages.
const MESSAGES: i64 = 120;

async fn prepare() -> (Database, CommandLog) {
    let (db, log) = database_with_log().await;
    schema![Host, LogMsg, Counter].plan(&db).await.unwrap().apply(&db).await.unwrap();
    Host::insert_many(&db, [host(1), host(2)]).await.unwrap();
    Counter::insert(&db, &counter(1)).await.unwrap();
    LogMsg::insert_many(&db, (0..MESSAGES).map(|id| message(id, 1 + id % 2))).await.unwrap();
    finish_writes(&db).await;
    log.clear();
    (db, log)
}

async fn assert_all_right(db: &Database) {
    finish_writes(db).await;
    assert_right(db).await;
    assert_nothing_left(db).await;
}

#[tokio::test]
async fn many_updates_are_few_transactions() {
    let (db, log) = prepare().await;
    let update =
        async |id: i64| LogMsg::update_by_id(id).inc(LogMsg::F.bytes, 1 + id as i32).execute(&db).await.unwrap();
    for updated in join_all((0..MESSAGES).map(update)).await {
        assert_eq!((updated.matched, updated.modified), (1, 1));
    }
    let commits = log.named("commitTransaction").len();
    assert!(commits <= 6, "{commits} transactions for {MESSAGES} updates");
    assert_all_right(&db).await;
}

#[tokio::test]
async fn many_deletes_are_few_transactions() {
    let (db, log) = prepare().await;
    let deleted = join_all((0..MESSAGES - 20).map(|id| LogMsg::delete_by_id(&db, id))).await;
    assert!(deleted.into_iter().all(|deleted| deleted.unwrap()));
    let commits = log.named("commitTransaction").len();
    assert!(commits <= 6, "{commits} transactions for 100 deletes");
    assert_eq!(all(&db, "logmsg").await.len(), 20);
    assert_all_right(&db).await;
}

/// Updates of the same document do not share a transaction: each update counts.
#[tokio::test]
async fn updates_of_one_document() {
    let (db, _) = prepare().await;
    let before = LogMsg::get_by_id(&db, 7).await.unwrap().bytes;
    let update = async |at: i64| {
        let id = if at % 3 == 0 { at } else { 7 };
        LogMsg::update_by_id(id).inc(LogMsg::F.bytes, 1).execute(&db).await.unwrap();
    };
    join_all((0..60).map(update)).await;
    assert_eq!(LogMsg::get_by_id(&db, 7).await.unwrap().bytes, before + 40);
    assert_all_right(&db).await;
}

#[tokio::test]
async fn each_update_has_its_own_outcome() {
    let (db, _) = prepare().await;
    let update = async |id: i64| {
        let update = LogMsg::update_by_id(id);
        match id {
            // Host 99 does not exist.
            5 => update.set(LogMsg::F.host, Ref::new(99)).execute(&db).await,
            // The document has this value already.
            6 | 9 => update.set(LogMsg::F.host, Ref::new(1 + id % 2)).execute(&db).await,
            id => update.set(LogMsg::F.bytes, 10_000 + id as i32).execute(&db).await,
        }
    };
    let there = (0..40).chain([5_000, 5_001]);
    let outcomes = join_all(there.clone().map(update)).await;
    for (id, outcome) in there.zip(outcomes) {
        match (id, outcome) {
            (5, Err(Error::DanglingReference { .. })) | (5_000.., Err(Error::NotFound { .. })) => {}
            (6 | 9, Ok(updated)) => assert_eq!((updated.matched, updated.modified), (1, 0)),
            (_, Ok(updated)) => assert_eq!((updated.matched, updated.modified), (1, 1), "{id}"),
            (_, Err(error)) => panic!("{id}: {error:?}"),
        }
    }
    assert_eq!(LogMsg::get_by_id(&db, 5).await.unwrap().host, Ref::new(2));
    assert_all_right(&db).await;
}

#[tokio::test]
async fn each_delete_has_its_own_outcome() {
    let (db, _) = prepare().await;
    let ids = [1_i64, 900, 2, 3, 1, 901, 4, 4, 5];
    let deleted = join_all(ids.map(|id| LogMsg::delete_by_id(&db, id))).await;
    let deleted: Vec<bool> = deleted.into_iter().map(|deleted| deleted.unwrap()).collect();
    assert_eq!(deleted, [true, false, true, true, false, false, true, false, true]);
    assert_all_right(&db).await;
}

/// Concurrent inserts, updates and deletes of children of the same parent.
#[tokio::test]
async fn all_kinds_at_once() {
    let (db, _) = prepare().await;
    let insert = async |id: i64| LogMsg::insert(&db, &message(1_000 + id, 1)).await.unwrap();
    let update = async |id: i64| {
        LogMsg::update_by_id(id).set(LogMsg::F.host, Ref::new(1)).set(LogMsg::F.bytes, 3).execute(&db).await.unwrap();
    };
    let delete = async |id: i64| assert!(LogMsg::delete_by_id(&db, id).await.unwrap());
    let replace = async |id: i64| LogMsg::replace(&db, &message(id, 2)).await.unwrap();
    tokio::join!(
        join_all((0..30).map(insert)),
        join_all((0..30).map(update)),
        join_all((30..60).map(delete)),
        join_all((60..70).map(replace)),
    );
    assert_eq!(all(&db, "logmsg").await.len() as i64, MESSAGES);
    assert_all_right(&db).await;
}

/// Callers that give up leave updates and deletes that are whole or absent.
#[tokio::test]
async fn callers_that_hang_up() {
    let (db, _) = prepare().await;
    let waits = async |id: i64| {
        let write = async {
            match id % 2 {
                0 => LogMsg::update_by_id(id).inc(LogMsg::F.bytes, 5).execute(&db).await.map(drop),
                _ => LogMsg::delete_by_id(&db, id).await.map(drop),
            }
        };
        tokio::time::timeout(std::time::Duration::from_micros(id as u64 * 200), write).await
    };
    let outcomes = join_all((0..60).map(waits)).await;
    assert!(outcomes.iter().any(Result::is_err), "some hang up");
    LogMsg::update_by_id(100).inc(LogMsg::F.bytes, 5).execute(&db).await.unwrap();
    assert_all_right(&db).await;
}
