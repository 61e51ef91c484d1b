//! A client stops before or after each command of each write of children or parents, or loses the answer. The write is
//! whole or absent without a `recover`: in the raw documents, and in the kept values of the parents.

use std::sync::{Arc, Mutex};

use futures_util::future::{BoxFuture, join_all};
use mongodb::{
    Database,
    bson::{Document, doc},
};
use schema_runtime::{Result, Schema, Throttle, prelude::*, schema, transaction};
use schema_tests::{
    Fault, Proxy, database, fail_command,
    rollups::{
        Counter, Host, LogMsg, all, assert_balanced, assert_nothing_left, assert_right, counter, host, message, wrong,
    },
    run_behind,
};

const SCHEMA: Schema = schema![Host, LogMsg, Counter];

/// The number of clients that try the cases, each client in a separate database.
const CLIENTS: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Write {
    Insert,
    InsertMany,
    Update,
    UpdateMany,
    Move,
    MoveMany,
    Replace,
    Save,
    Upsert,
    FindAndUpdate,
    Delete,
    DeleteMany,
    Transaction,
    Parent,
    Bulk,
}

impl Write {
    const ALL: [Write; 15] = {
        use Write as W;
        [
            W::Insert,
            W::InsertMany,
            W::Update,
            W::UpdateMany,
            W::Move,
            W::MoveMany,
            W::Replace,
            W::Save,
            W::Upsert,
            W::FindAndUpdate,
            W::Delete,
            W::DeleteMany,
            W::Transaction,
            W::Parent,
            W::Bulk,
        ]
    };

    /// Returns the number of successive parts of the write. Each part is whole or absent.
    fn parts(self) -> usize {
        if self == Write::Bulk { 4 } else { 1 }
    }

    /// Writes the first `parts` parts.
    async fn run(self, db: &Database, parts: usize) -> Result<()> {
        let f = LogMsg::F;
        let of_first = || f.host.eq(Ref::new(1));
        if parts == 0 {
            return Ok(());
        }
        match self {
            Write::Insert => LogMsg::insert(db, &LogMsg { counter: Some(Ref::new(1)), ..message(20, 1) }).await,
            Write::InsertMany => {
                LogMsg::insert_many(db, (20..30).map(|id| message(id, 1 + id % 2)).collect::<Vec<_>>()).await
            }
            Write::Update => LogMsg::update_by_id(7).set(f.bytes, 9_000).execute(db).await.map(drop),
            Write::UpdateMany => LogMsg::update_many(of_first()).inc(f.bytes, 500).execute(db).await.map(drop),
            Write::Move => {
                let moved = LogMsg::update_by_id(7).set(f.host, Ref::new(1)).set(f.counter, Some(Ref::new(1)));
                moved.execute(db).await.map(drop)
            }
            Write::MoveMany => LogMsg::update_many(of_first()).set(f.host, Ref::new(2)).execute(db).await.map(drop),
            Write::Replace => LogMsg::replace(db, &LogMsg { bytes: 1, ..message(4, 2) }).await,
            Write::Save => LogMsg::save(db, &mut LogMsg { bytes: 8_000, ..message(4, 2) }).await,
            Write::Upsert => {
                let upsert = LogMsg::update_by_id(20).set(f.host, Ref::new(1)).set(f.bytes, 3).set(f.text, "upserted");
                upsert.set(f.time, DateTime::from_millis(5)).set(f.read, false).upsert().execute(db).await.map(drop)
            }
            Write::FindAndUpdate => {
                LogMsg::find_one_and_update(f.id.eq(6)).set(f.bytes, 7_000).fetch_after(db).await.map(drop)
            }
            Write::Delete => LogMsg::delete_by_id(db, 7).await.map(drop),
            Write::DeleteMany => LogMsg::delete_many(db, of_first()).await.map(drop),
            Write::Transaction => {
                let several = async |tx| {
                    LogMsg::insert(&tx, &message(20, 1)).await?;
                    LogMsg::update_by_id(7).set(f.host, Ref::new(1)).execute(&tx).await?;
                    LogMsg::delete_by_id(&tx, 6).await.map(drop)
                };
                transaction(db, several).await
            }
            Write::Parent => Host::insert(db, &host(3)).await,
            Write::Bulk => {
                let mut bulk = LogMsg::bulk();
                if parts > 0 {
                    bulk = bulk.update(LogMsg::update_by_id(5).inc(f.bytes, 300));
                }
                if parts > 1 {
                    bulk = bulk.insert(&message(20, 2));
                }
                if parts > 2 {
                    bulk = bulk.delete_by_id(7);
                }
                if parts > 3 {
                    bulk = bulk.update(LogMsg::update_by_id(20).set(f.host, Ref::new(1)));
                }
                bulk.execute(db).await?.complete().map(drop)
            }
        }
    }
}

/// All documents of a database: the collections, with the documents of each collection.
pub(super) type Stored = Vec<(&'static str, Vec<Document>)>;

async fn begin() -> (Database, Stored) {
    let db = database().await;
    SCHEMA.plan(&db).await.unwrap().apply(&db).await.unwrap();
    Host::insert_many(&db, &[host(1), host(2), host(3)]).await.unwrap();
    Counter::insert(&db, &counter(1)).await.unwrap();
    LogMsg::insert_many(&db, (1..8).map(|id| message(id, 1 + id % 2)).collect::<Vec<_>>()).await.unwrap();
    // A child of a host that was deleted and is to be inserted again.
    LogMsg::insert(&db, &message(8, 3)).await.unwrap();
    Host::delete_by_id(&db, 3).await.unwrap();
    let mut stored = Stored::new();
    for collection in ["hosts", "logmsg", "counters"] {
        stored.push((collection, all(&db, collection).await));
    }
    (db, stored)
}

/// Restores the stored documents of a database.
pub(super) async fn restore(db: &Database, stored: &Stored) {
    db.collection::<Document>("schema_deltas").delete_many(doc! {}).await.unwrap();
    for (collection, documents) in stored {
        let collection = db.collection::<Document>(collection);
        collection.delete_many(doc! {}).await.unwrap();
        collection.insert_many(documents).await.unwrap();
    }
}

/// Returns the messages, and the `_id`s of the hosts.
async fn state(db: &Database) -> (Vec<Document>, Vec<i64>) {
    let hosts = all(db, "hosts").await.iter().map(|host| host.get_i64("_id").unwrap()).collect();
    (all(db, "logmsg").await, hosts)
}

/// Returns the stored documents after each number of parts of a write, from zero on.
async fn states(db: &Database, stored: &Stored, write: Write) -> Vec<(Vec<Document>, Vec<i64>)> {
    let mut states = Vec::new();
    for parts in 0..=write.parts() {
        restore(db, stored).await;
        write.run(db, parts).await.unwrap();
        assert_right(db).await;
        states.push(state(db).await);
    }
    states.windows(2).for_each(|two| assert_ne!(two[0], two[1], "{write:?}"));
    states
}

/// The fault at each command of a write; true when the client gets an answer.
const FAULTS: [(Fault, bool); 4] =
    [(Fault::StopBefore, false), (Fault::StopAfter, false), (Fault::Close, true), (Fault::Lose, true)];

/// Runs a write with each fault at each of its commands, and returns the number of cases.
async fn try_all(db: &Database, stored: &Stored, write: Write) -> usize {
    let states = states(db, stored, write).await;
    let mut cases = 0;
    for (fault, goes_on) in FAULTS {
        for at in 0.. {
            restore(db, stored).await;
            let proxy = Proxy::start([(at, fault)]).await;
            let run = move |db: Database| -> BoxFuture<'static, Result<()>> {
                Box::pin(async move { Box::pin(write.run(&db, write.parts())).await })
            };
            let ended = run_behind(&proxy, db.name(), run).await;
            let how = format!("{write:?} with {fault:?} at {at} of {:?}: {ended:?}", proxy.names());
            assert_balanced(db).await;
            let state = state(db).await;
            let parts = states.iter().position(|of| *of == state).unwrap_or_else(|| panic!("{how}: {state:?}"));
            if matches!(ended.answered, Some(Ok(()))) {
                assert_eq!(parts, write.parts(), "{how}");
            }
            if goes_on {
                // A lost connection is no error, and a repeated command is not counted twice.
                assert!(matches!(ended.answered, Some(Ok(()))), "{how}");
                assert_eq!(wrong(db).await, [""; 0], "{how}");
            }
            cases += 1;
            if proxy.names().len() <= at {
                assert!(!ended.is_stopped && at > 2, "{how}");
                break;
            }
        }
    }
    cases
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_write_is_whole_or_absent() {
    let writes = Arc::new(Mutex::new(Write::ALL.to_vec()));
    let client = || {
        let writes = Arc::clone(&writes);
        tokio::spawn(async move {
            let (db, stored) = begin().await;
            let mut cases = 0;
            let next = || writes.lock().unwrap().pop();
            while let Some(write) = next() {
                cases += try_all(&db, &stored, write).await;
            }
            cases
        })
    };
    let ended = join_all((0..CLIENTS).map(|_| client())).await;
    let cases: usize = ended.into_iter().map(|ended| ended.unwrap()).sum();
    println!("{cases} cases");
}

/// The server commits and answers that it shuts down, or closes the connection in the place of the commit, several
/// times: the write is counted once. The tests above cover a lost answer.
#[tokio::test]
async fn a_commit_whose_answer_is_lost_is_counted_once() {
    for times in [1, 2, 3] {
        let db = database().await;
        Host::insert_many(&db, &[host(1), host(2)]).await.unwrap();
        LogMsg::insert_many(&db, &[message(1, 1), message(2, 1)]).await.unwrap();
        let lost =
            doc! { "failCommands": ["commitTransaction"], "writeConcernError": { "code": 91, "errmsg": "shut down" } };
        let failing = fail_command(&db, doc! { "times": times }, lost).await;
        let inserted = LogMsg::insert(&db, &message(3, 1)).await;
        failing.clear().await;
        inserted.unwrap();
        let closed = doc! { "failCommands": ["commitTransaction"], "closeConnection": true };
        let failing = fail_command(&db, doc! { "times": times }, closed).await;
        let moved = LogMsg::update_by_id(1).set(LogMsg::F.host, Ref::new(2)).execute(&db).await;
        failing.clear().await;
        moved.unwrap();
        assert_eq!(all(&db, "logmsg").await.len(), 3);
        assert_right(&db).await;
        assert_nothing_left(&db).await;
        assert!(SCHEMA.recover(&db, &Throttle::new()).await.unwrap().is_empty());
    }
}
