//! Callbacks after the commit and the rollback: once, after the outcome, and never for an attempt that runs again.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use mongodb::bson::doc;
use schema_runtime::{finish_writes, prelude::*, transaction};
use schema_tests::{database, fail_command};

use super::{Account, account, stored};

/// The callbacks that ran, in order.
#[derive(Clone, Default)]
struct Ran(Arc<Mutex<Vec<String>>>);

impl Ran {
    /// Registers a callback of each kind.
    fn register(&self, tx: &schema_runtime::Transaction, name: impl ToString) {
        let (commit, rollback, name) = (self.clone(), self.clone(), name.to_string());
        let committed = format!("committed {name}");
        tx.after_commit(move || async move { commit.note(committed) });
        tx.after_rollback(move || async move { rollback.note(format!("rolled back {name}")) });
    }

    fn note(&self, name: impl Into<String>) {
        self.0.lock().unwrap().push(name.into());
    }

    fn taken(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

#[tokio::test]
async fn after_the_commit_they_run_in_order_and_see_what_is_stored() {
    let (db, ran) = (database().await, Ran::default());
    transaction(&db, |tx| {
        let (ran, outside) = (ran.clone(), db.clone());
        async move {
            ran.register(&tx, 1);
            Account::insert(&tx, &account(1, 1)).await?;
            let counted = ran.clone();
            tx.after_commit(move || async move {
                // Outside of the transaction: the plain database is allowed.
                let count = Account::find(Filter::all()).count(&outside).await;
                counted.note(format!("{count:?}"));
            });
            ran.register(&tx, 2);
            Ok::<_, Error>(())
        }
    })
    .await
    .unwrap();
    assert_eq!(ran.taken(), ["committed 1", "Ok(1)", "committed 2"], "before the transaction has returned");
}

#[tokio::test]
async fn an_attempt_that_runs_again_forgets_its_callbacks() {
    let (db, ran) = (database().await, Ran::default());
    db.create_collection("accounts").await.unwrap();
    let failure = doc! { "failCommands": ["insert"], "errorCode": 112, "errorLabels": ["TransientTransactionError"] };
    let point = fail_command(&db, doc! { "times": 2 }, failure).await;
    let mut attempt = 0;
    let result = transaction(&db, |tx| {
        attempt += 1;
        ran.register(&tx, attempt);
        async move { Account::insert(&tx, &account(1, 1)).await }
    })
    .await;
    point.clear().await;
    result.unwrap();
    assert_eq!(ran.taken(), ["committed 3"]);
}

#[tokio::test]
async fn after_each_end_without_a_commit_they_run_once() {
    let (db, ran) = (database().await, Ran::default());
    Account::insert(&db, &account(1, 1)).await.unwrap();
    let refused = transaction(&db, |tx| {
        ran.register(&tx, "by the callback");
        async move { Account::get_by_id(&tx, &9).await }
    });
    refused.await.unwrap_err();
    let hidden = transaction(&db, |tx| {
        ran.register(&tx, "by the server");
        async move {
            let _kept = Account::insert(&tx, &account(1, 2)).await;
            Ok::<_, Error>(())
        }
    });
    hidden.await.unwrap_err();
    let failure = doc! { "failCommands": ["commitTransaction"], "errorCode": 2 };
    let point = fail_command(&db, "alwaysOn", failure).await;
    let commit = transaction(&db, |tx| {
        ran.register(&tx, "at the commit");
        async move { Account::insert(&tx, &account(2, 2)).await }
    });
    commit.await.unwrap_err();
    point.clear().await;
    assert_eq!(ran.taken(), ["rolled back by the callback", "rolled back by the server", "rolled back at the commit"]);
    assert_eq!(stored(&db).await, [account(1, 1)]);
}

#[tokio::test]
async fn after_a_panic_and_after_a_dropped_caller_they_run_in_the_background() {
    let (db, ran) = (database().await, Ran::default());
    let (spawned, noted) = (db.clone(), ran.clone());
    let panicked = tokio::spawn(async move {
        transaction(&spawned, |tx| {
            noted.register(&tx, "after a panic");
            async move {
                Account::insert(&tx, &account(1, 1)).await?;
                assert_eq!(Account::find(Filter::all()).count(&tx).await?, 0, "the callback panics here");
                Ok::<_, Error>(())
            }
        })
        .await
    });
    assert!(panicked.await.unwrap_err().is_panic());
    finish_writes(&db).await;
    assert_eq!(ran.taken(), ["rolled back after a panic"]);
    let dropped = transaction(&db, |tx| {
        ran.register(&tx, "without a caller");
        async move {
            Account::insert(&tx, &account(1, 1)).await?;
            std::future::pending::<Result<()>>().await
        }
    });
    tokio::time::timeout(Duration::from_millis(300), dropped).await.expect_err("it waits for ever");
    finish_writes(&db).await;
    assert_eq!(ran.taken(), ["rolled back without a caller"]);
    assert_eq!(stored(&db).await, []);
}

#[tokio::test]
async fn a_caller_dropped_at_the_commit_loses_no_callback() {
    let (db, ran) = (database().await, Ran::default());
    db.create_collection("accounts").await.unwrap();
    let failure = doc! { "failCommands": ["commitTransaction"], "blockConnection": true, "blockTimeMS": 500 };
    let point = fail_command(&db, doc! { "times": 1 }, failure).await;
    let dropped = transaction(&db, |tx| {
        ran.register(&tx, "later");
        async move { Account::insert(&tx, &account(1, 1)).await }
    });
    tokio::time::timeout(Duration::from_millis(200), dropped).await.expect_err("the commit takes longer");
    finish_writes(&db).await;
    point.clear().await;
    assert_eq!(ran.taken(), ["committed later"]);
    assert_eq!(stored(&db).await, [account(1, 1)]);
}

#[tokio::test]
async fn a_panic_of_a_callback_changes_neither_the_outcome_nor_the_rest() {
    let (db, ran) = (database().await, Ran::default());
    transaction(&db, |tx| {
        let ran = ran.clone();
        async move {
            Account::insert(&tx, &account(1, 1)).await?;
            tx.after_commit(|| async { panic!("a callback panics") });
            ran.register(&tx, "after the panic");
            Ok::<_, Error>(())
        }
    })
    .await
    .unwrap();
    assert_eq!(ran.taken(), ["committed after the panic"]);
    assert_eq!(stored(&db).await, [account(1, 1)]);
}

#[tokio::test]
async fn after_an_unknown_commit_none_runs() {
    let (db, ran) = (database().await, Ran::default());
    db.create_collection("accounts").await.unwrap();
    // 50: the time limit of the commit; the server labels the outcome as unknown.
    let failure = doc! {
        "failCommands": ["commitTransaction"], "errorCode": 50, "errorLabels": ["UnknownTransactionCommitResult"],
    };
    let point = fail_command(&db, "alwaysOn", failure).await;
    let result = transaction(&db, |tx| {
        ran.register(&tx, "unknown");
        async move { Account::insert(&tx, &account(1, 1)).await }
    });
    assert!(matches!(result.await, Err(Error::TimedOut { .. })));
    point.clear().await;
    finish_writes(&db).await;
    assert_eq!(ran.taken(), [""; 0]);
}
