//! Actions of the driver inside a transaction: part of the transaction, with a span, and a failure decides as usual.

use std::{
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use futures_util::TryStreamExt;
use mongodb::bson::{Document, doc};
use schema_runtime::{commands_of, mongodb::options::ReadConcern, prelude::*, transaction, transaction_with};
use schema_tests::{Spans, database, database_with_log, fail_command};

use super::{Account, account, stored};

/// Inserts an account by the driver.
async fn insert_raw(tx: &schema_runtime::Transaction, id: i64) -> Result<()> {
    tx.run("insert", Some("accounts"), move |db, session| {
        Box::pin(async move { Account::collection(db).insert_one(account(id, id)).session(session).await.map(drop) })
    })
    .await
}

#[tokio::test]
async fn the_actions_are_part_of_the_transaction() {
    let (db, log) = database_with_log().await;
    db.create_collection("accounts").await.unwrap();
    log.clear();
    let sums = transaction(&db, |tx| async move {
        Account::insert(&tx, &account(1, 10)).await?;
        insert_raw(&tx, 2).await?;
        let sums: Vec<Document> = tx
            .run("aggregate", Some("accounts"), |db, session| {
                Box::pin(async move {
                    let sum = doc! { "$group": { "_id": null, "sum": { "$sum": "$cents" } } };
                    let accounts = db.collection::<Document>("accounts");
                    let mut found = accounts.aggregate([sum]).session(&mut *session).await?;
                    found.stream(session).try_collect().await
                })
            })
            .await?;
        Ok::<_, Error>(sums)
    })
    .await
    .unwrap();
    assert_eq!(sums[0].get_i64("sum").ok(), Some(12));
    let commands = log.commands();
    let names: Vec<&str> = commands.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["insert", "insert", "aggregate", "commitTransaction"]);
    assert!(commands.iter().all(|(_, command)| command.get("txnNumber") == commands[0].1.get("txnNumber")));
    let aborted = transaction(&db, |tx| async move {
        insert_raw(&tx, 3).await?;
        Account::get_by_id(&tx, &9).await
    });
    aborted.await.unwrap_err();
    assert_eq!(stored(&db).await, [account(1, 10), account(2, 2)]);
}

#[tokio::test]
async fn a_failure_of_an_action_decides_about_another_attempt() {
    let db = database().await;
    db.create_collection("accounts").await.unwrap();
    let failure = doc! { "failCommands": ["insert"], "errorCode": 112, "errorLabels": ["TransientTransactionError"] };
    let point = fail_command(&db, doc! { "times": 2 }, failure).await;
    let runs = AtomicU32::new(0);
    let result = transaction(&db, |tx| {
        runs.fetch_add(1, Ordering::Relaxed);
        async move { insert_raw(&tx, 1).await }
    });
    result.await.unwrap();
    point.clear().await;
    assert_eq!(runs.load(Ordering::Relaxed), 3);
    let kept = transaction(&db, |tx| {
        runs.fetch_add(1, Ordering::Relaxed);
        async move {
            let _kept = insert_raw(&tx, 1).await;
            Ok::<_, Error>(())
        }
    });
    assert!(kept.await.is_err(), "the server has aborted the transaction");
    assert_eq!(runs.into_inner(), 4, "a duplicate key is no reason to try again");
    assert_eq!(stored(&db).await, [account(1, 1)]);
}

#[tokio::test]
async fn each_call_has_a_span_and_counts_as_a_command() {
    let db = database().await;
    db.create_collection("accounts").await.unwrap();
    let (spans, _guard) = Spans::collect();
    let (result, sent) = commands_of(db.name(), transaction(&db, |tx| async move { insert_raw(&tx, 1).await })).await;
    result.unwrap();
    assert_eq!(sent.iter().map(ToString::to_string).collect::<Vec<_>>(), ["insert accounts", "commitTransaction"]);
    let all = spans.take();
    let span = all.iter().find(|span| span.fields.get("otel.name").is_some_and(|name| name == "insert accounts"));
    assert_eq!(span.expect("a span").parent, Some("transaction"));
}

#[tokio::test]
async fn operations_of_the_crate_with_the_plain_database_are_refused_in_an_action() {
    let db = database().await;
    let refused = transaction(&db, |tx| async move {
        tx.run("insert", None, |db, _session| {
            Box::pin(async move { Ok(Account::insert(db, &account(1, 1)).await.map_err(|error| error.kind())) })
        })
        .await
    });
    assert_eq!(refused.await.unwrap(), Err(schema_runtime::ErrorKind::Misuse));
    assert_eq!(stored(&db).await, []);
}

/// What `Operations::collection` documents.
#[tokio::test]
async fn the_collection_of_the_driver_is_no_part_of_the_transaction() {
    let db = database().await;
    db.create_collection("accounts").await.unwrap();
    let aborted = transaction(&db, |tx| {
        let outside = Account::collection(&db);
        async move {
            Account::insert(&tx, &account(1, 1)).await?;
            outside.insert_one(account(2, 2)).await.unwrap();
            Account::get_by_id(&tx, &9).await
        }
    });
    aborted.await.unwrap_err();
    assert_eq!(stored(&db).await, [account(2, 2)]);
}

#[tokio::test]
async fn an_action_goes_on_when_its_caller_is_dropped() {
    let db = database().await;
    db.create_collection("accounts").await.unwrap();
    let failure = doc! { "failCommands": ["insert"], "blockConnection": true, "blockTimeMS": 400 };
    let point = fail_command(&db, doc! { "times": 1 }, failure).await;
    let result = transaction(&db, |tx| async move {
        let slow = tokio::time::timeout(Duration::from_millis(100), insert_raw(&tx, 1)).await;
        slow.expect_err("the insert is dropped while the server waits");
        insert_raw(&tx, 2).await
    });
    result.await.unwrap();
    point.clear().await;
    assert_eq!(stored(&db).await, [account(1, 1), account(2, 2)], "the connection of the session is whole");
}

#[tokio::test]
async fn an_index_is_made_in_a_transaction_with_read_concern_local() {
    let db = database().await;
    let options = schema_runtime::TransactionOptions::new().read_concern(ReadConcern::local());
    transaction_with(&db, options, |tx| async move {
        let made = tx.run("createIndexes", Some("entries"), |db, session| {
            Box::pin(async move {
                let index = doc! { "key": { "account": 1 }, "name": "by account" };
                db.run_command(doc! { "createIndexes": "entries", "indexes": [index] }).session(session).await
            })
        });
        made.await?;
        Ok::<_, Error>(())
    })
    .await
    .unwrap();
    let names = db.collection::<Document>("entries").list_index_names().await.unwrap();
    assert_eq!(names, ["_id_", "by account"]);
}
