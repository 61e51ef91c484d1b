//! Every command of every write fails in turn, in every way; then `recover` runs, and all is right.

use std::sync::Mutex;

use futures_util::future::{BoxFuture, join_all};
use mongodb::{
    Database,
    bson::{Document, doc},
};
use schema_runtime::{Result, Schema, Throttle, finish_writes, prelude::*, schema};
use schema_tests::{
    Fault, Proxy, database, fail_command,
    rollups::{Counter, Host, LogMsg, all, assert_nothing_left, assert_right, counter, host, message},
};

type Write = for<'d> fn(&'d Database) -> BoxFuture<'d, Result<()>>;

const WRITES: [(&str, Write); 8] = [
    ("insert", |db| Box::pin(LogMsg::insert(db, const_message(9)))),
    ("insert_many", |db| {
        Box::pin(async move { LogMsg::insert_many(db, &[message(9, 1), message(10, 2), message(11, 1)]).await })
    }),
    ("update", |db| {
        Box::pin(async move { LogMsg::update_by_id(3).set(LogMsg::F.bytes, 9_000).execute(db).await.map(drop) })
    }),
    ("move", |db| {
        Box::pin(async move { LogMsg::update_by_id(3).set(LogMsg::F.host, Ref::new(1)).execute(db).await.map(drop) })
    }),
    ("replace", |db| Box::pin(async move { LogMsg::replace(db, &LogMsg { bytes: 1, ..message(4, 2) }).await })),
    ("delete", |db| Box::pin(async move { LogMsg::delete_by_id(db, &5).await.map(drop) })),
    ("delete_many", |db| Box::pin(async move { LogMsg::delete_many(db, LogMsg::F.id.gt(4)).await.map(drop) })),
    ("parent", |db| Box::pin(async move { Host::insert(db, &host(3)).await })),
];

/// Returns a message that lives as long as the future of its insert.
fn const_message(id: i64) -> &'static LogMsg {
    Box::leak(Box::new(message(id, 1)))
}

/// The number of clients that try the cases: after a lost connection a driver waits for half a second.
const CLIENTS: usize = 8;

/// The number of successive failures: more than the attempts of a write.
const FAILURES: usize = 10;

/// The writes for a test with few writes: an add and a recompute.
const SOME: [&str; 2] = ["insert", "delete"];

const SCHEMA: Schema = schema![Host, LogMsg, Counter];

async fn prepare(db: &Database) {
    for name in ["hosts", "logmsg", "counters"] {
        db.collection::<Document>(name).delete_many(doc! {}).await.unwrap();
    }
    Host::insert_many(db, &[host(1), host(2)]).await.unwrap();
    Counter::insert(db, &counter(1)).await.unwrap();
    let many: Vec<LogMsg> = (1..8).map(|id| message(id, 1 + id % 2)).collect();
    LogMsg::insert_many(db, &many).await.unwrap();
    // A child of a host that was deleted and is to be inserted again.
    Host::insert(db, &host(3)).await.unwrap();
    LogMsg::insert(db, &message(8, 3)).await.unwrap();
    Host::delete_by_id(db, &3).await.unwrap();
}

/// All documents of a database: the collections, with the documents of each collection.
type Stored = Vec<(&'static str, Vec<Document>)>;

/// Restores the stored documents of a database.
async fn restore(db: &Database, stored: &Stored) {
    for (collection, documents) in stored {
        let collection = db.collection::<Document>(collection);
        collection.delete_many(doc! {}).await.unwrap();
        collection.insert_many(documents).await.unwrap();
    }
}

/// Runs each of the writes with the fault at each of its commands; after `recover` all values are right.
async fn fail(writes: impl IntoIterator<Item = (&'static str, Write)>, fault: Fault) {
    let db = database().await;
    SCHEMA.plan(&db).await.unwrap().apply(&db).await.unwrap();
    prepare(&db).await;
    let mut stored = Stored::new();
    for collection in ["hosts", "logmsg", "counters"] {
        stored.push((collection, all(&db, collection).await));
    }
    let mut cases = Vec::new();
    for (name, write) in writes {
        restore(&db, &stored).await;
        let proxy = Proxy::start([]).await;
        write(&proxy.database(db.name()).await).await.unwrap();
        let commands = proxy.names().len();
        assert!(commands >= 3, "{name}: {commands}");
        cases.extend((0..commands).map(|at| (name, write, at)));
    }
    let cases = Mutex::new(cases);
    let client = async || {
        let db = database().await;
        SCHEMA.plan(&db).await.unwrap().apply(&db).await.unwrap();
        let next = || cases.lock().unwrap().pop();
        while let Some((name, write, at)) = next() {
            restore(&db, &stored).await;
            fails(&db, name, write, at, fault).await;
        }
    };
    join_all((0..CLIENTS).map(|_| client())).await;
}

/// Runs the write with the fault at this command and the commands after it; after `recover` all values are right.
async fn fails(db: &Database, name: &str, write: Write, at: usize, fault: Fault) {
    let proxy = Proxy::start((at..at + FAILURES).map(|at| (at, fault))).await;
    let behind = proxy.database(db.name()).await;
    let outcome = write(&behind).await;
    finish_writes(&behind).await;
    proxy.end_transactions().await;
    // A majority has the earlier writes once a majority has a later write.
    db.collection("barrier").insert_one(doc! {}).await.unwrap();
    let recovered = SCHEMA.recover(db, &Throttle::new()).await.unwrap();
    let how = format!("{name}, {fault:?} at {at} of {:?}: {outcome:?}, {recovered:?}", proxy.names());
    println!("{how}");
    assert_right(db).await;
    assert_nothing_left(db).await;
    assert!(SCHEMA.recover(db, &Throttle::new()).await.unwrap().is_empty(), "{how}");
}

/// Returns a few writes, for the faults with a similar effect at each command.
fn some() -> impl Iterator<Item = (&'static str, Write)> {
    WRITES.into_iter().filter(|(name, _)| SOME.contains(name))
}

#[tokio::test]
async fn errors() {
    fail(WRITES, Fault::Refuse).await;
}

#[tokio::test]
async fn closed_connections() {
    fail(some(), Fault::Close).await;
}

/// The command is done, and its reply says that the command may be rolled back.
#[tokio::test]
async fn write_concern_errors() {
    fail(WRITES, Fault::Unmet).await;
}

/// A lock of another client, and a snapshot that the server cannot give yet, are conflicts. A write that meets a
/// conflict leaves the difference of the parent, and the fold goes on after any number of conflicts.
#[tokio::test]
async fn many_conflicts() {
    for code in [24, 112, 246] {
        let db = database().await;
        SCHEMA.plan(&db).await.unwrap().apply(&db).await.unwrap();
        prepare(&db).await;
        finish_writes(&db).await;
        let data = doc! { "failCommands": ["update"], "errorCode": code, "errorLabels": ["TransientTransactionError"] };
        let fail = fail_command(&db, doc! { "times": 14 }, data).await;
        let inserted = LogMsg::insert(&db, &message(9, 1)).await;
        finish_writes(&db).await;
        fail.clear().await;
        inserted.unwrap();
        assert_right(&db).await;
        assert_nothing_left(&db).await;
    }
}
