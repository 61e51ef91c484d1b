//! Callbacks with an error type of the caller: the transaction still tries again, and the caller gets the own error.

use std::sync::atomic::{AtomicU32, Ordering};

use mongodb::bson::doc;
use schema_runtime::{TransactionOptions, prelude::*, transaction, transaction_with};
use schema_tests::{database, database_with_log, fail_command};

use super::{Account, account, stored};

#[derive(Debug, PartialEq)]
enum Shop {
    NotEnough { cents: i64 },
    Gone,
    Database(String),
}

impl From<Error> for Shop {
    fn from(error: Error) -> Self {
        match error {
            Error::NotFound { .. } => Shop::Gone,
            error => Shop::Database(format!("{:?}", error.kind())),
        }
    }
}

async fn withdraw(db: &Database, id: i64, cents: i64) -> Result<i64, Shop> {
    transaction(db, |tx| async move {
        Account::update_by_id(id).inc(Account::F.cents, -cents).execute(&tx).await?;
        let left = Account::get_by_id(&tx, &id).await?.cents;
        if left < 0 {
            return Err(Shop::NotEnough { cents: -left });
        }
        Ok(left)
    })
    .await
}

#[tokio::test]
async fn an_own_error_aborts_and_arrives_unchanged() {
    let (db, log) = database_with_log().await;
    Account::insert(&db, &account(1, 100)).await.unwrap();
    assert_eq!(withdraw(&db, 1, 30).await, Ok(70));
    log.clear();
    assert_eq!(withdraw(&db, 1, 90).await, Err(Shop::NotEnough { cents: 20 }));
    let sent: Vec<String> = log.commands().into_iter().map(|(name, _)| name).collect();
    assert_eq!(sent, ["update", "find", "abortTransaction"], "an own error is no reason to try again");
    assert_eq!(withdraw(&db, 2, 1).await, Err(Shop::Gone), "the error of the crate becomes the own error");
    assert_eq!(stored(&db).await, [account(1, 70)]);
}

#[tokio::test]
async fn it_is_tried_again_whatever_the_callback_makes_of_the_error() {
    let db = database().await;
    db.create_collection("accounts").await.unwrap();
    let failure = doc! { "failCommands": ["insert"], "errorCode": 112, "errorLabels": ["TransientTransactionError"] };
    let point = fail_command(&db, doc! { "times": 2 }, failure).await;
    let runs = AtomicU32::new(0);
    let result = transaction(&db, |tx| {
        let run = runs.fetch_add(1, Ordering::Relaxed);
        async move {
            let inserted = Account::insert(&tx, &account(1, 1)).await;
            // Neither own error says that the server had a conflict.
            match run {
                0 => Err(Shop::NotEnough { cents: 0 }),
                1 => Err(Shop::Gone),
                _ => Ok(inserted?),
            }
        }
    })
    .await;
    point.clear().await;
    assert_eq!((result, runs.into_inner()), (Ok(()), 3));
    assert_eq!(stored(&db).await, [account(1, 1)]);
}

#[tokio::test]
async fn it_is_tried_again_while_another_command_is_under_way() {
    let (db, log) = database_with_log().await;
    Account::insert(&db, &account(1, 1)).await.unwrap();
    let conflict = doc! { "failCommands": ["update"], "errorCode": 112, "errorLabels": ["TransientTransactionError"] };
    let mut point = Some(fail_command(&db, doc! { "times": 1 }, conflict).await);
    let (runs, log, db) = (AtomicU32::new(0), &log, &db);
    let result = transaction(db, |tx| {
        runs.fetch_add(1, Ordering::Relaxed);
        let point = point.take();
        async move {
            Account::find(Filter::all()).fetch_all(&tx).await?;
            let updated = Account::update_by_id(1).inc(Account::F.cents, 1).execute(&tx).await;
            let Some(point) = point else { return Ok(updated?) };
            point.clear().await;
            let held = doc! { "failCommands": ["find"], "blockConnection": true, "blockTimeMS": 2_000 };
            let _held = fail_command(db, doc! { "times": 1 }, held).await;
            let of_task = tx.clone();
            tokio::spawn(async move { Account::find(Filter::all()).fetch_all(&of_task).await });
            while log.named("find").len() < 2 {
                tokio::task::yield_now().await;
            }
            // The own error says neither that the server had a conflict, nor that a command is under way.
            Err(updated.map_or(Shop::Gone, |_| Shop::NotEnough { cents: 0 }))
        }
    })
    .await;
    assert_eq!((result.map(drop), runs.into_inner()), (Ok(()), 2));
    assert_eq!(stored(db).await, [account(1, 2)]);
}

#[tokio::test]
async fn without_time_for_another_attempt_the_own_error_is_the_answer() {
    let db = database().await;
    db.create_collection("accounts").await.unwrap();
    let failure = doc! { "failCommands": ["insert"], "errorCode": 112, "errorLabels": ["TransientTransactionError"] };
    let point = fail_command(&db, "alwaysOn", failure).await;
    let result =
        transaction_with(&db, TransactionOptions::new().retry_for(std::time::Duration::ZERO), |tx| async move {
            let inserted = Account::insert(&tx, &account(1, 1)).await;
            inserted.map_err(|_| Shop::NotEnough { cents: 7 })
        });
    assert_eq!(result.await, Err(Shop::NotEnough { cents: 7 }));
    point.clear().await;
}

#[tokio::test]
async fn what_the_transaction_itself_refuses_becomes_the_own_error() {
    let db = database().await;
    Account::insert(&db, &account(1, 1)).await.unwrap();
    let kept = transaction(&db, |tx| async move {
        let _kept = Account::insert(&tx, &account(1, 3)).await;
        Ok::<_, Shop>(())
    });
    assert_eq!(kept.await, Err(Shop::Database("Driver".to_owned())), "the callback has hidden the error");
    let failure = doc! { "failCommands": ["commitTransaction"], "errorCode": 2 };
    let point = fail_command(&db, "alwaysOn", failure).await;
    let result: Result<(), Shop> = transaction(&db, async |tx| {
        Account::insert(&tx, &account(2, 2)).await?;
        Ok(())
    })
    .await;
    point.clear().await;
    assert_eq!(result, Err(Shop::Database("Driver".to_owned())), "the commit fails");
    let nested = transaction(&db, |_tx| withdraw(&db, 1, 1)).await;
    assert_eq!(nested, Err(Shop::Database("Misuse".to_owned())));
    assert_eq!(stored(&db).await, [account(1, 1)]);
}
