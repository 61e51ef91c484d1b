//! The number of connections of a client: enough for a transaction to go on beside the writes that wait for the
//! transaction.

use std::time::Duration;

use mongodb::{
    bson::{Document, doc},
    options::ClientOptions,
};
use schema_runtime::{connect, prelude::*};
use schema_tests::{database, server};
use tokio::{sync::Barrier, time::timeout};

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "accounts")]
struct Account {
    #[serde(rename = "_id")]
    id: i64,
    cents: i64,
}

/// A transaction holds a document, and as many plain writes of the document wait as the driver has connections by
/// default.
#[tokio::test]
async fn writes_that_wait_for_a_transaction_leave_it_a_connection() {
    let db = connect(server().await.uri(), database().await.name()).await.unwrap();
    Account::insert(&db, &Account { id: 1, cents: 0 }).await.unwrap();
    let (held, waiting) = (&Barrier::new(2), &Barrier::new(2));
    let transaction = schema_runtime::transaction(&db, |tx| async move {
        Account::update_by_id(1).inc(Account::F.cents, 1).execute(&tx).await?;
        held.wait().await;
        waiting.wait().await;
        Account::update_by_id(1).inc(Account::F.cents, 1).execute(&tx).await.map(drop)
    });
    let writes = async {
        held.wait().await;
        let write = || async { Account::update_by_id(1).inc(Account::F.cents, 1).execute(&db).await.map(drop) };
        let writes = futures_util::future::join_all((0..20).map(|_| write()));
        let begun = async {
            tokio::time::sleep(Duration::from_millis(300)).await;
            waiting.wait().await;
        };
        let (written, ()) = tokio::join!(writes, begun);
        written.into_iter().collect::<Result<()>>()
    };
    let (ended, written) = timeout(Duration::from_secs(30), async { tokio::join!(transaction, writes) }).await.unwrap();
    ended.unwrap();
    written.unwrap();
    let stored = db.collection::<Document>("accounts").find_one(doc! { "_id": 1_i64 }).await.unwrap().unwrap();
    assert_eq!(stored.get_i64("cents").unwrap(), 22);
}

/// The number in the connection string wins: a single connection serves a single command at a time.
#[tokio::test]
async fn a_string_that_sets_the_number_keeps_it() {
    let uri = server().await.uri();
    let separator = if uri.contains('?') { '&' } else { '?' };
    let uri = format!("{uri}{separator}maxPoolSize=1");
    assert_eq!(ClientOptions::parse(&uri).await.unwrap().max_pool_size, Some(1));
    let db = connect(&uri, database().await.name()).await.unwrap();
    let sleep = || async {
        let slow = doc! { "$where": "sleep(200) || true" };
        db.collection::<Document>("ones").find_one(slow).await.unwrap();
    };
    db.collection("ones").insert_one(doc! { "_id": 1 }).await.unwrap();
    let began = std::time::Instant::now();
    tokio::join!(sleep(), sleep(), sleep());
    assert!(began.elapsed() >= Duration::from_millis(600), "{:?}", began.elapsed());
}
