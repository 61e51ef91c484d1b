//! Transactions: all or nothing, retries, and the ways to leave a transaction by mistake.

mod callbacks;
mod options;
mod own_errors;
mod raw;

use std::{
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, Instant},
};

use mongodb::bson::{Document, doc};
use schema_runtime::{
    local::{Server, Topology},
    prelude::*,
    transaction,
};
use schema_tests::{database, database_with_log, fail_command};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "accounts")]
#[inverse(entries = Entry::account)]
struct Account {
    #[serde(rename = "_id")]
    id: i64,
    cents: i64,
    #[relation(one_to_many, child_refs, max = 2_000)]
    friends: Vec<Ref<Account>>,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "entries")]
struct Entry {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    account: Ref<Account>,
}

fn account(id: i64, cents: i64) -> Account {
    Account { id, cents, friends: Vec::new() }
}

async fn stored(db: &Database) -> Vec<Account> {
    Account::find(Filter::all()).fetch_all(db).await.unwrap()
}

#[tokio::test]
async fn all_operations_happen_in_their_commands_and_one_commit() {
    let (db, log) = database_with_log().await;
    Account::insert(&db, &account(1, 100)).await.unwrap();
    log.clear();
    let left = transaction(&db, |tx| async move {
        let mut first = Account::get_by_id(&tx, &1).await?;
        first.cents -= 30;
        Account::replace(&tx, &first).await?;
        Account::insert(&tx, &account(2, 30)).await?;
        Ok::<_, Error>(first.cents)
    })
    .await
    .unwrap();
    assert_eq!(left, 70);
    let sent: Vec<String> = log.commands().into_iter().map(|(name, _)| name).collect();
    assert_eq!(sent, ["find", "update", "insert", "commitTransaction"]);
    let commands: Vec<Document> = log.commands().into_iter().map(|(_, command)| command).collect();
    assert_eq!(commands[0].get_bool("startTransaction").ok(), Some(true));
    assert_eq!(commands[0].get_document("readConcern").unwrap().get_str("level").ok(), Some("snapshot"));
    assert!(commands.iter().all(|command| command.get("txnNumber") == commands[0].get("txnNumber")));
    assert_eq!(commands[3].get_document("writeConcern").unwrap().get_str("w").ok(), Some("majority"));
    assert_eq!(stored(&db).await, [account(1, 70), account(2, 30)]);
}

#[tokio::test]
async fn an_error_of_the_callback_leaves_nothing() {
    let (db, log) = database_with_log().await;
    let result = transaction(&db, |tx| async move {
        Account::insert(&tx, &account(1, 1)).await?;
        Account::get_by_id(&tx, &9).await
    })
    .await;
    assert!(matches!(result, Err(Error::NotFound { .. })), "{result:?}");
    assert_eq!(log.named("abortTransaction").len(), 1);
    assert_eq!(stored(&db).await, []);
}

#[tokio::test]
async fn every_read_sees_what_the_transaction_wrote() {
    let db = database().await;
    db.create_collection("accounts").await.unwrap();
    db.create_collection("entries").await.unwrap();
    transaction(&db, |tx| async move {
        let friends: Vec<Account> = (10..2_010).map(|id| account(id, id)).collect();
        Account::insert_many(&tx, &friends).await?;
        let hub = Account { friends: friends.iter().map(Ref::to).collect(), ..account(1, 0) };
        Account::insert(&tx, &hub).await?;
        let entries: Vec<Entry> = (0..1_500).map(|id| Entry { id, account: Ref::to(&hub) }).collect();
        Entry::insert_many(&tx, &entries).await?;

        assert_eq!(Account::find(Account::F.cents.eq(17)).count(&tx).await?, 1);
        assert_eq!(hub.friends().fetch_all(&tx).await?.complete()?.into_vec(), friends);
        let all = Account::FRIENDS.load(&tx, [&hub]).await?;
        assert_eq!(all.of(&hub).iter().count(), 2_000, "two chunks, in one session");
        assert_eq!(hub.entries().count(&tx).await?, 1_500);
        assert_eq!(hub.entries().latest(3).fetch_all(&tx).await?.len(), 3);
        assert_eq!(hub.entries().paginate(10).fetch(&tx).await?.len(), 10);
        assert_eq!(entries[7].account().fetch_one(&tx).await?, hub);
        let rows = Account::FRIENDS.lookup(Account::F.id.eq(1)).fetch_all(&tx).await?.into_vec()?;
        assert_eq!(rows[0].1.len(), 2_000);
        let mut stream = hub.entries().stream(&tx).await?;
        let mut streamed = 0;
        while let Some(entry) = stream.next().await {
            entry?;
            streamed += 1;
        }
        assert_eq!(streamed, 1_500, "more than one reply");
        Account::delete(&tx, &hub).await?;
        Ok::<_, Error>(())
    })
    .await
    .unwrap();
    assert_eq!(Account::find(Filter::all()).count(&db).await.unwrap(), 2_000);
}

#[tokio::test]
async fn a_transient_error_runs_the_callback_again() {
    let db = database().await;
    db.create_collection("accounts").await.unwrap();
    let failure = doc! { "failCommands": ["insert"], "errorCode": 112, "errorLabels": ["TransientTransactionError"] };
    let point = fail_command(&db, doc! { "times": 2 }, failure).await;
    let runs = AtomicU32::new(0);
    let result = transaction(&db, |tx| {
        runs.fetch_add(1, Ordering::Relaxed);
        async move { Account::insert(&tx, &account(1, 1)).await }
    })
    .await;
    point.clear().await;
    result.unwrap();
    assert_eq!(runs.into_inner(), 3);
    assert_eq!(stored(&db).await, [account(1, 1)]);
}

#[tokio::test]
async fn an_unknown_commit_is_asked_for_again_and_happens_once() {
    let (db, log) = database_with_log().await;
    db.create_collection("accounts").await.unwrap();
    let failure = doc! { "failCommands": ["commitTransaction"], "closeConnection": true };
    let point = fail_command(&db, doc! { "times": 3 }, failure).await;
    let runs = AtomicU32::new(0);
    let result = transaction(&db, |tx| {
        runs.fetch_add(1, Ordering::Relaxed);
        async move { Account::insert(&tx, &account(1, 1)).await }
    })
    .await;
    point.clear().await;
    result.unwrap();
    assert_eq!(runs.into_inner(), 1, "only the commit is repeated");
    assert_eq!(log.named("commitTransaction").len(), 4);
    assert_eq!(stored(&db).await, [account(1, 1)]);
}

#[tokio::test]
async fn an_error_that_the_callback_keeps_to_itself_ends_it() {
    let db = database().await;
    Account::insert(&db, &account(1, 1)).await.unwrap();
    let runs = AtomicU32::new(0);
    let result = transaction(&db, |tx| {
        runs.fetch_add(1, Ordering::Relaxed);
        async move {
            Account::insert(&tx, &account(2, 2)).await?;
            let _swallowed = Account::insert(&tx, &account(1, 3)).await;
            Ok::<_, Error>(())
        }
    })
    .await;
    assert!(result.is_err(), "the server has aborted it");
    assert_eq!(runs.into_inner(), 1, "a duplicate key is no reason to try again");
    assert_eq!(stored(&db).await, [account(1, 1)]);
}

#[tokio::test]
async fn the_plain_database_is_refused_inside() {
    let db = database().await;
    let plain = transaction(&db, |tx| {
        let db = &db;
        async move {
            Account::insert(&tx, &account(1, 1)).await?;
            Account::insert(db, &account(2, 2)).await
        }
    })
    .await;
    assert!(matches!(plain, Err(Error::OutsideTransaction)), "{plain:?}");
    let nested = transaction(&db, |_tx| {
        let db = &db;
        async move { transaction(db, |tx| async move { Account::insert(&tx, &account(1, 1)).await }).await }
    })
    .await;
    assert!(matches!(nested, Err(Error::OutsideTransaction)), "{nested:?}");
    assert_eq!(stored(&db).await, []);
    Account::insert(&db, &account(3, 3)).await.expect("outside again");
}

#[tokio::test]
async fn it_can_be_spawned_and_borrow_what_the_task_owns() {
    let db = database().await;
    let spawned = db.clone();
    let task = tokio::spawn(async move {
        let opening = account(1, 5);
        let opening = &opening;
        transaction(&spawned, |tx| async move { Account::insert(&tx, opening).await }).await
    });
    task.await.unwrap().unwrap();
    assert_eq!(stored(&db).await, [account(1, 5)]);
}

#[tokio::test]
async fn concurrent_transactions_lose_nothing() {
    let db = database().await;
    Account::insert(&db, &account(1, 0)).await.unwrap();
    let writers: Vec<_> = (0..6)
        .map(|_| {
            let db = db.clone();
            tokio::spawn(async move {
                for _ in 0..5 {
                    transaction(&db, |tx| async move {
                        let mut one = Account::get_by_id(&tx, &1).await?;
                        one.cents += 1;
                        Account::replace(&tx, &one).await
                    })
                    .await
                    .unwrap();
                }
            })
        })
        .collect();
    for writer in writers {
        writer.await.unwrap();
    }
    assert_eq!(stored(&db).await, [account(1, 30)]);
}

#[tokio::test]
async fn a_dropped_future_leaves_no_open_transaction() {
    let db = database().await;
    db.create_collection("accounts").await.unwrap();
    let failure = doc! { "failCommands": ["insert"], "blockConnection": true, "blockTimeMS": 400 };
    let point = fail_command(&db, doc! { "times": 1 }, failure).await;
    let running = transaction(&db, |tx| async move { Account::insert(&tx, &account(1, 1)).await });
    tokio::time::timeout(Duration::from_millis(100), running).await.expect_err("it is dropped while it waits");
    point.clear().await;
    // The locks of the transaction are gone: another transaction may write the same document.
    transaction(&db, |tx| async move { Account::insert(&tx, &account(1, 2)).await }).await.unwrap();
    assert_eq!(stored(&db).await, [account(1, 2)]);
}

#[tokio::test]
async fn a_handle_sends_nothing_after_the_end() {
    let db = database().await;
    db.create_collection("accounts").await.unwrap();
    for commits in [true, false] {
        let mut left = None;
        let ended: Result<()> = transaction(&db, |tx| {
            left = Some(tx.clone());
            async move { if commits { Ok(()) } else { Err(Error::WriteConflict) } }
        })
        .await;
        assert_eq!(ended.is_ok(), commits);
        let tx = left.unwrap();
        let inserted = Account::insert(&tx, &account(1, 1)).await;
        assert!(matches!(inserted, Err(Error::TransactionEnded)), "{inserted:?}");
        let read = Account::find(Filter::all()).fetch_all(&tx).await;
        assert!(matches!(read, Err(Error::TransactionEnded)), "{read:?}");
    }
    assert_eq!(stored(&db).await, []);
}

#[tokio::test]
async fn a_standalone_says_that_a_replica_set_is_needed() {
    let server = Server::builder().topology(Topology::Standalone).own(true).start().await.unwrap();
    let db = server.database("transactions").await.unwrap();
    let start = Instant::now();
    let result = transaction(&db, |tx| async move { Account::insert(&tx, &account(1, 1)).await }).await;
    let Err(error @ Error::NotReplicaSet) = result else { panic!("{result:?}") };
    let text = "transactions need a replica set, not a standalone server: start the server with `--replSet`";
    assert_eq!(error.to_string(), text);
    assert!(start.elapsed() < Duration::from_secs(10), "at once");
}
