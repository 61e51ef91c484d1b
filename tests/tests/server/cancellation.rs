//! Reads whose caller is gone: nothing of the read stays on the server, neither a cursor nor a running command.

use std::time::Duration;

use futures_util::TryStreamExt;
use mongodb::bson::{Document, doc};
use schema_runtime::{connect_with, finish_writes, mongodb::options::ClientOptions, prelude::*, transaction};
use schema_tests::{database, database_with_log, fail_command, server};
use tokio::time::{sleep, timeout};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "crates")]
#[inverse(bottles = Bottle::held)]
struct Crate {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, child_refs, max = 2_000)]
    near: Vec<Ref<Crate>>,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "bottles")]
struct Bottle {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    held: Ref<Crate>,
}

const MANY: i64 = 2_500;

/// Longer than the commands take that the tests drop.
const SOON: Duration = Duration::from_millis(150);

async fn filled(db: &Database) {
    let crates: Vec<Crate> = (0..MANY).map(|id| Crate { id, near: Vec::new() }).collect();
    Crate::insert_many(db, &crates).await.unwrap();
}

/// Returns the cursors and the commands of a test's client on the server. The clients of the harness have the name of
/// their database.
async fn on_the_server(db: &Database) -> Vec<Document> {
    let admin = server().await.client().await.unwrap().database("admin");
    let all = doc! { "$currentOp": { "idleCursors": true, "allUsers": true } };
    let reads = doc! { "$match": {
        "ns": { "$regex": format!("^{}\\.", db.name()) },
        "$or": [{ "type": "idleCursor" }, { "type": "op", "active": true }],
    } };
    admin.aggregate([all, reads]).await.unwrap().try_collect().await.unwrap()
}

/// Waits until nothing of the database is left on the server.
///
/// # Panics
/// After half a minute.
async fn assert_nothing_stays(db: &Database) {
    let mut left = Vec::new();
    for _ in 0..300 {
        left = on_the_server(db).await;
        if left.is_empty() {
            return;
        }
        sleep(Duration::from_millis(100)).await;
    }
    panic!("the server still has {left:?}");
}

/// Returns a filter that makes the server work for seconds on each document, in steps.
fn slow() -> Filter<Crate> {
    let body = "function() { for (let i = 0; i < 500; i++) { sleep(10); } return true; }";
    Filter::raw(doc! { "$expr": { "$function": { "body": body, "args": [], "lang": "js" } } })
}

#[tokio::test]
async fn a_stream_dropped_half_read_closes_its_cursor() {
    let (db, log) = database_with_log().await;
    filled(&db).await;
    let mut stream = Crate::find(Filter::all()).stream(&db).await.unwrap();
    stream.next().await.unwrap().unwrap();
    assert_eq!(on_the_server(&db).await.len(), 1, "an open cursor");
    drop(stream);
    assert_nothing_stays(&db).await;
    assert_eq!(log.named("killCursors").len(), 1);
}

#[tokio::test]
async fn a_read_dropped_during_its_first_command_leaves_no_cursor() {
    let db = database().await;
    filled(&db).await;
    let failure = doc! { "failCommands": ["find", "aggregate"], "blockConnection": true, "blockTimeMS": 300 };
    let point = fail_command(&db, "alwaysOn", failure).await;
    timeout(SOON, Crate::find(Filter::all()).stream(&db)).await.expect_err("the server waits");
    let rows = Crate::NEAR.lookup(Filter::all());
    timeout(SOON, rows.fetch_all(&db)).await.expect_err("the server waits");
    timeout(SOON, Crate::find(Filter::all()).fetch_all(&db)).await.expect_err("the server waits");
    sleep(Duration::from_millis(600)).await;
    assert_nothing_stays(&db).await;
    point.clear().await;
}

#[tokio::test]
async fn a_read_dropped_during_a_later_command_leaves_no_cursor() {
    let db = database().await;
    filled(&db).await;
    let bottles: Vec<Bottle> = (0..MANY).map(|id| Bottle { id, held: Ref::new(1) }).collect();
    Bottle::insert_many(&db, &bottles).await.unwrap();
    let parent = Crate { id: 1, near: (0..2_000).map(Ref::new).collect() };
    let failure = doc! { "failCommands": ["getMore"], "blockConnection": true, "blockTimeMS": 300 };
    let point = fail_command(&db, "alwaysOn", failure).await;
    let streamed = async {
        let mut stream = Crate::find(Filter::all()).stream(&db).await.unwrap();
        while let Some(read) = stream.next().await {
            read.unwrap();
        }
    };
    timeout(SOON, streamed).await.expect_err("the second reply comes late");
    let children = async {
        let mut stream = parent.bottles().stream(&db).await.unwrap();
        while let Some(read) = stream.next().await {
            read.unwrap();
        }
    };
    timeout(SOON, children).await.expect_err("the second reply comes late");
    assert_nothing_stays(&db).await;
    point.clear().await;
}

#[tokio::test]
async fn the_server_ends_a_slow_read_of_a_dropped_caller() {
    let db = database().await;
    filled(&db).await;
    timeout(SOON, Crate::find(slow()).fetch_all(&db)).await.expect_err("the read is slow");
    timeout(SOON, Crate::find(slow()).count(&db)).await.expect_err("the count is slow");
    timeout(SOON, Crate::find(slow()).distinct(&db, Crate::F.id)).await.expect_err("`distinct` is slow");
    timeout(SOON, Crate::find(slow()).paginate(5).fetch(&db)).await.expect_err("the page is slow");
    assert_nothing_stays(&db).await;
}

#[tokio::test]
async fn a_deadline_leaves_nothing_running() {
    let db = database().await;
    filled(&db).await;
    for limited in [Crate::find(slow()).timeout(SOON), Crate::find(slow()).max_time(SOON)] {
        let error = limited.fetch_all(&db).await.unwrap_err();
        assert!(matches!(error, Error::TimedOut { .. }), "{error:?}");
    }
    assert_nothing_stays(&db).await;
}

#[tokio::test]
async fn a_dropped_transaction_ends_its_slow_read() {
    let options = ClientOptions::parse(server().await.uri()).await.unwrap();
    let of_the_driver = database().await;
    let of_the_crate = connect_with(options, of_the_driver.name()).await.unwrap();
    filled(&of_the_driver).await;
    for db in [of_the_driver, of_the_crate] {
        let work = transaction(&db, |tx| async move {
            Crate::insert(&tx, &Crate { id: -1, near: Vec::new() }).await?;
            Crate::find(slow()).fetch_all(&tx).await
        });
        timeout(SOON * 2, work).await.expect_err("the read is slow");
        assert_nothing_stays(&db).await;
        finish_writes(&db).await;
        // The locks of the transaction are gone.
        let again = Crate { id: -1, near: Vec::new() };
        transaction(&db, async |tx| Crate::insert(&tx, &again).await).await.unwrap();
        Crate::delete_by_id(&db, -1).await.unwrap();
    }
}

#[tokio::test]
async fn an_error_of_the_callback_ends_the_read_that_the_callback_has_dropped() {
    let db = database().await;
    filled(&db).await;
    let mut runs = 0;
    let result = transaction(&db, |tx| {
        runs += 1;
        async move {
            timeout(SOON, Crate::find(slow()).fetch_all(&tx)).await.expect_err("the read is slow");
            Crate::get_by_id(&tx, -1).await
        }
    });
    // The lookup waits for the slow read, so the whole is dropped.
    timeout(SOON * 2, result).await.expect_err("the lookup waits");
    assert_nothing_stays(&db).await;
    let result: Result<()> = transaction(&db, |tx| {
        runs += 1;
        async move {
            timeout(SOON, Crate::find(slow()).fetch_all(&tx)).await.expect_err("the read is slow");
            Err(Error::WriteConflict)
        }
    })
    .await;
    assert!(matches!(result, Err(Error::WriteConflict)), "{result:?}");
    assert_nothing_stays(&db).await;
    assert_eq!(runs, 2, "an own error is no reason to try again");
}

#[tokio::test]
async fn a_stream_of_a_transaction_dropped_half_read_leaves_no_cursor() {
    let db = database().await;
    filled(&db).await;
    transaction(&db, |tx| {
        let db = &db;
        async move {
            let mut stream = Crate::find(Filter::all()).stream(&tx).await?;
            stream.next().await.expect("a document")?;
            drop(stream);
            assert_nothing_stays(db).await;
            Crate::insert(&tx, &Crate { id: -1, near: Vec::new() }).await
        }
    })
    .await
    .unwrap();
    assert_eq!(Crate::find(Filter::all()).count(&db).await.unwrap(), MANY as u64 + 1);
    assert_nothing_stays(&db).await;
}
