//! The options of a transaction: in the commands, refused where weak, and limits of time.

use std::time::{Duration, Instant};

use mongodb::{
    bson::doc,
    options::{Acknowledgment, ReadConcern, ReadConcernLevel, WriteConcern},
};
use schema_runtime::{TransactionOptions, prelude::*, transaction_with};
use schema_tests::{database, database_with_log, fail_command};

use super::{Account, account, stored};

async fn insert(db: &Database, options: TransactionOptions) -> Result<()> {
    transaction_with(db, options, |tx| async move { Account::insert(&tx, &account(1, 1)).await }).await
}

#[tokio::test]
async fn they_are_in_the_first_command_and_in_the_commit() {
    let (db, log) = database_with_log().await;
    db.create_collection("accounts").await.unwrap();
    log.clear();
    let mut majority = WriteConcern::default();
    majority.w_timeout = Some(Duration::from_secs(7));
    let options = TransactionOptions::new().read_concern(ReadConcern::local()).write_concern(majority);
    insert(&db, options.max_commit_time(Duration::from_millis(4_500))).await.unwrap();
    let commands = log.commands();
    assert_eq!(commands[0].1.get_document("readConcern").unwrap().get_str("level").ok(), Some("local"));
    let (name, commit) = &commands[1];
    assert_eq!((name.as_str(), commit.get_i32("maxTimeMS").ok()), ("commitTransaction", Some(4_500)));
    let concern = commit.get_document("writeConcern").unwrap();
    assert_eq!(concern.get_str("w").ok(), Some("majority"), "also where the caller names no number");
    assert_eq!(concern.get("wtimeout").and_then(|time| time.as_i64().or(time.as_i32().map(i64::from))), Some(7_000));
    assert_eq!(stored(&db).await, [account(1, 1)]);
}

#[tokio::test]
async fn a_weak_concern_is_refused_before_anything_is_sent() {
    let (db, log) = database_with_log().await;
    let weak = [Acknowledgment::Nodes(0), Acknowledgment::Nodes(1), Acknowledgment::Nodes(3)];
    let weak = weak.into_iter().chain([Acknowledgment::Custom("two places".to_owned())]);
    for acknowledgment in weak {
        let mut concern = WriteConcern::default();
        concern.w = Some(acknowledgment);
        let error = insert(&db, TransactionOptions::new().write_concern(concern)).await.unwrap_err();
        assert!(matches!(error, Error::Concern { .. }), "{error:?}");
        assert!(error.to_string().contains("majority"));
    }
    for level in [ReadConcernLevel::Available, ReadConcernLevel::Linearizable] {
        let mut concern = ReadConcern::local();
        concern.level = level;
        let error = insert(&db, TransactionOptions::new().read_concern(concern)).await.unwrap_err();
        assert!(matches!(error, Error::Concern { .. }), "{error:?}");
    }
    assert_eq!(log.commands(), []);
}

#[tokio::test]
async fn it_stops_after_the_stated_time() {
    let db = database().await;
    db.create_collection("accounts").await.unwrap();
    let failure = doc! { "failCommands": ["insert"], "errorCode": 112, "errorLabels": ["TransientTransactionError"] };
    let point = fail_command(&db, "alwaysOn", failure).await;
    let (start, time) = (Instant::now(), Duration::from_millis(300));
    let result = insert(&db, TransactionOptions::new().retry_for(time)).await;
    point.clear().await;
    assert!(result.is_err());
    assert!(start.elapsed() >= time, "it was tried again until then");
    assert_eq!(stored(&db).await, []);
}

#[tokio::test]
async fn a_time_without_an_end_is_no_overflow() {
    let db = database().await;
    insert(&db, TransactionOptions::new().retry_for(Duration::MAX)).await.unwrap();
    assert_eq!(stored(&db).await, [account(1, 1)]);
}
