//! Pending differences of parents are counted once, also when another transaction holds a parent, or a fold stops.

use std::time::Duration;

use futures_util::future::{BoxFuture, join_all};
use mongodb::{
    Database,
    bson::{Document, doc, oid::ObjectId},
};
use schema_runtime::{Error, Result, Schema, Throttle, finish_writes, prelude::*, schema};
use schema_tests::{
    Fault, Proxy, database, database_with_log,
    rollups::{
        Counter, Host, LogMsg, all, assert_balanced, assert_nothing_left, assert_right, balance, counter, host, left,
        message, wrong,
    },
    run_behind, server,
};

use super::{
    held::{hold, leave},
    whole::{Stored, restore},
};

const SCHEMA: Schema = schema![Host, LogMsg, Counter];

/// The server ends the transaction of a holder after a minute. No write waits so long.
const AT_MOST: Duration = Duration::from_secs(50);

async fn begin() -> Database {
    let db = database().await;
    fill(&db).await;
    db
}

/// Inserts two hosts, a counter, and messages of both hosts.
async fn fill(db: &Database) {
    SCHEMA.plan(db).await.unwrap().apply(db).await.unwrap();
    Host::insert_many(db, &[host(1), host(2)]).await.unwrap();
    Counter::insert(db, &counter(1)).await.unwrap();
    LogMsg::insert_many(db, (1..20).map(|id| message(id, 1 + id % 2)).collect::<Vec<_>>()).await.unwrap();
    finish_writes(db).await;
}

/// Does each kind of write, on messages from `first` on and on the messages that `begin` inserts.
async fn write_all(db: &Database, first: i64) -> Result<()> {
    let f = LogMsg::F;
    LogMsg::insert(db, &LogMsg { counter: Some(Ref::new(1)), ..message(first, 1) }).await?;
    LogMsg::insert_many(db, (first + 1..first + 9).map(|id| message(id, 1 + id % 2)).collect::<Vec<_>>()).await?;
    LogMsg::update_by_id(first).inc(f.bytes, 700).execute(db).await?;
    LogMsg::update_by_id(first + 1).set(f.host, Ref::new(1)).execute(db).await?;
    LogMsg::update_many(f.id.between(first..first + 4)).inc(f.bytes, 20).execute(db).await?;
    LogMsg::update_many(f.id.between(first + 4..first + 6)).set(f.host, Ref::new(2)).execute(db).await?;
    LogMsg::replace(db, &LogMsg { bytes: 1, ..message(first + 2, 2) }).await?;
    LogMsg::find_one_and_update(f.id.eq(first + 3)).set(f.text, "found").fetch_before(db).await?;
    let upsert = LogMsg::update_by_id(first + 9).set(f.host, Ref::new(2)).set(f.bytes, 3).set(f.text, "upserted");
    upsert.set(f.time, DateTime::from_millis(5)).set(f.read, false).upsert().execute(db).await?;
    LogMsg::delete_by_id(db, first + 6).await?;
    LogMsg::delete_many(db, f.id.between(first + 7..first + 9)).await?;
    let bulk = LogMsg::bulk().insert(&message(first + 6, 1)).update(LogMsg::update_by_id(first + 2).inc(f.bytes, 5));
    bulk.delete_by_id(first + 3).execute(db).await?.complete().map(drop)
}

/// Another transaction holds both hosts. Each write answers all the same, and leaves differences. The process folds the
/// differences when the holder commits or aborts.
#[tokio::test]
async fn writes_of_held_parents_leave_differences() {
    let db = begin().await;
    for (first, commits) in [(100, false), (200, true)] {
        let mut holder = hold(&db, &[1, 2]).await;
        tokio::time::timeout(AT_MOST, write_all(&db, first)).await.expect("nobody waits for the holder").unwrap();
        let of_hosts = assert_balanced(&db).await;
        assert!(of_hosts > 10, "{of_hosts}");
        assert_ne!(wrong(&db).await, [""; 0], "the hosts are as they were");
        let report = SCHEMA.verify(&db).await.unwrap();
        let [pending] = report.pending() else { panic!("{report}") };
        assert_eq!((pending.found, pending.documents), (of_hosts as u64, 2), "{report}");
        assert!(report.findings().is_empty(), "{report}");
        if commits {
            holder.commit_transaction().await.unwrap();
        } else {
            holder.abort_transaction().await.unwrap();
        }
        assert_right(&db).await;
        assert_nothing_left(&db).await;
        assert!(SCHEMA.verify(&db).await.unwrap().is_clean());
    }
    assert_eq!(Counter::get_by_id(&db, 1).await.unwrap().messages, 2);
}

/// Two clients write two parents concurrently, also while a third client holds a parent. Parents and left differences
/// agree with the children at each moment, and the parents are exact in the end.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_clients_write_the_same_parents() {
    let (db, log) = database_with_log().await;
    fill(&db).await;
    log.clear();
    let other = server().await.database(db.name()).await.unwrap();
    let mut holder = hold(&db, &[1]).await;
    write_all(&db, 90).await.unwrap();
    holder.abort_transaction().await.unwrap();
    let mut writers = Vec::new();
    for (number, db) in [&db, &other, &db, &other].into_iter().enumerate() {
        let (db, number) = (db.clone(), number as i64);
        writers.push(tokio::spawn(async move {
            for turn in 0..5 {
                Box::pin(write_all(&db, 100 * (1 + number) + 10 * turn)).await.unwrap();
            }
        }));
    }
    let (mut moments, mut seen) = (0, 0);
    while writers.iter().any(|writer| !writer.is_finished()) {
        seen += assert_balanced(&db).await;
        moments += 1;
    }
    for writer in writers {
        writer.await.unwrap();
    }
    assert_right(&db).await;
    assert_nothing_left(&db).await;
    let is_leave = |insert: &&Document| insert.get_str("insert").is_ok_and(|of| of == "schema_deltas");
    let left = log.named("insert").iter().filter(is_leave).count();
    println!("one of two clients has left differences by {left} commands; {seen} were seen in {moments} moments");
    assert!(left > 0, "nothing was left");
}

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "shelves")]
struct Shelf {
    #[serde(rename = "_id")]
    id: i64,
    #[computed(count(Book::shelf))]
    books: i64,
    #[computed(sum(Book::shelf, pages))]
    pages: i64,
    #[computed(max(Book::shelf, pages))]
    thickest: Option<i64>,
}

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "books")]
struct Book {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    #[reference(may_dangle)]
    shelf: Ref<Shelf>,
    pages: i64,
}

/// A reference may dangle: the insert of the parent counts children that were written before.
#[tokio::test]
async fn a_parent_that_comes_later() {
    let (db, schema) = (database().await, schema![Shelf, Book]);
    schema.plan(&db).await.unwrap().apply(&db).await.unwrap();
    let shelf = |id| Shelf { id, books: 7, pages: 7, thickest: None };
    let book = |id, pages| Book { id, shelf: Ref::new(1), pages };
    Book::insert_many(&db, &[book(1, 100), book(2, 200), book(3, 300)]).await.unwrap();
    Book::update_by_id(1).inc(Book::F.pages, 50).execute(&db).await.unwrap();
    Book::delete_by_id(&db, 3).await.unwrap();
    finish_writes(&db).await;
    // Many differences of a missing parent become a single difference.
    assert_eq!(all(&db, "schema_deltas").await.len(), 1);
    let report = schema.verify(&db).await.unwrap();
    assert!(report.pending().is_empty(), "{report}");
    Shelf::insert(&db, &shelf(1)).await.unwrap();
    finish_writes(&db).await;
    let kept = async || {
        let shelf = Shelf::get_by_id(&db, 1).await.unwrap();
        (shelf.books, shelf.pages, shelf.thickest)
    };
    assert_eq!(kept().await, (2, 350, Some(200)));
    assert_eq!(all(&db, "schema_deltas").await, [] as [Document; 0]);
    // The parent is deleted, the children change, and the parent is inserted again.
    Shelf::delete_by_id(&db, 1).await.unwrap();
    Book::update_many(Filter::all()).inc(Book::F.pages, 1).execute(&db).await.unwrap();
    Book::delete_by_id(&db, 2).await.unwrap();
    Book::insert(&db, &book(4, 10)).await.unwrap();
    Shelf::bulk().insert(&shelf(1)).execute(&db).await.unwrap().complete().unwrap();
    finish_writes(&db).await;
    assert_eq!(kept().await, (2, 161, Some(151)));
    assert!(schema.verify(&db).await.unwrap().is_clean());
}

/// A reference may not dangle: a missing parent loses children, and gets no children.
#[tokio::test]
async fn a_missing_parent_takes_no_children() {
    let db = begin().await;
    Host::delete_by_id(&db, 1).await.unwrap();
    let refused = LogMsg::insert(&db, &message(50, 1)).await.unwrap_err();
    assert!(matches!(refused, Error::DanglingReference { .. }), "{refused}");
    let refused = LogMsg::update_by_id(1).set(LogMsg::F.host, Ref::new(1)).execute(&db).await.unwrap_err();
    assert!(matches!(refused, Error::DanglingReference { .. }), "{refused}");
    LogMsg::delete_by_id(&db, 2).await.unwrap();
    LogMsg::update_by_id(4).set(LogMsg::F.host, Ref::new(2)).execute(&db).await.unwrap();
    LogMsg::update_by_id(6).inc(LogMsg::F.bytes, 5_000).execute(&db).await.unwrap();
    finish_writes(&db).await;
    let found = balance(&db).await;
    assert_eq!((found.wrong, found.left, found.of_missing), (Vec::new(), 0, 1));
    Host::insert(&db, &host(1)).await.unwrap();
    assert_right(&db).await;
    assert_eq!(all(&db, "schema_deltas").await, [] as [Document; 0]);
}

/// A parent is deleted and inserted again and again while another client writes the children of the parent.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_parent_that_comes_and_goes() {
    let db = begin().await;
    let other = server().await.database(db.name()).await.unwrap();
    let writer = tokio::spawn(async move {
        let f = LogMsg::F;
        let is_refused = |error: &Error| matches!(error, Error::DanglingReference { .. });
        let mut refused = 0;
        for turn in 0..30 {
            let id = 100 + turn;
            let written = [
                LogMsg::insert(&other, &message(id, 1)).await,
                LogMsg::update_by_id(1 + turn % 19).inc(f.bytes, 3).execute(&other).await.map(drop),
                LogMsg::update_by_id(1 + turn % 19)
                    .set(f.host, Ref::new(1 + turn / 19 % 2))
                    .execute(&other)
                    .await
                    .map(drop),
                LogMsg::delete_many(&other, f.id.eq(id - 10)).await.map(drop),
            ];
            for result in written {
                assert!(result.as_ref().err().is_none_or(is_refused), "{result:?}");
                refused += u32::from(result.is_err());
            }
        }
        refused
    });
    let mut turns = 0;
    while !writer.is_finished() {
        Host::delete_by_id(&db, 1).await.unwrap();
        assert_balanced(&db).await;
        Host::insert(&db, &host(1)).await.unwrap();
        assert_balanced(&db).await;
        turns += 1;
    }
    println!("{} of 120 writes were refused in {turns} turns", writer.await.unwrap());
    assert_right(&db).await;
    assert_nothing_left(&db).await;
}

fn write_once(db: Database) -> BoxFuture<'static, Result<()>> {
    Box::pin(async move { Box::pin(write_all(&db, 100)).await })
}

/// Returns a database with pending differences, and all stored documents.
async fn begin_with_left() -> (Database, Stored) {
    let db = begin().await;
    leave(&db, &[1, 2], write_once).await;
    let mut stored = Stored::new();
    for collection in ["hosts", "logmsg", "counters", "schema_deltas"] {
        stored.push((collection, all(&db, collection).await));
    }
    (db, stored)
}

/// A `recover` stops, or loses an answer, at each command of the fold. Parents and left differences agree with the
/// children, and the next `recover` folds the rest.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fold_stops_at_each_of_its_commands() {
    let faults = [Fault::StopBefore, Fault::StopAfter, Fault::Lose].map(|fault| tokio::spawn(fold_with(fault)));
    for ended in join_all(faults).await {
        ended.unwrap();
    }
}

/// Runs a fold with this fault at each of its commands, in a separate database.
async fn fold_with(fault: Fault) {
    let (db, stored) = begin_with_left().await;
    for at in 0.. {
        restore(&db, &stored).await;
        let all_left = assert_balanced(&db).await;
        assert!(all_left > 10, "{all_left}");
        let proxy = Proxy::start([(at, fault)]).await;
        let recover = |db: Database| -> BoxFuture<'static, bool> {
            Box::pin(async move { SCHEMA.recover(&db, &Throttle::new()).await.is_ok() })
        };
        let ended = run_behind(&proxy, db.name(), recover).await;
        let still_left = assert_balanced(&db).await;
        let how = format!("{fault:?} at {at} of {:?}: {still_left} of {all_left} are left", proxy.names());
        assert!(still_left == 0 || ended.answered != Some(true), "{how}");
        SCHEMA.recover(&db, &Throttle::new()).await.unwrap();
        assert_eq!(wrong(&db).await, [""; 0], "{how}");
        assert_eq!(left(&db).await, [] as [Document; 0], "{how}");
        if proxy.names().len() <= at {
            assert!(at > 5, "{how}");
            break;
        }
    }
}

/// Two recovers fold the same differences. The first recover is held at each command.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_fold_the_same_differences() {
    let (db, stored) = begin_with_left().await;
    for at in 0.. {
        restore(&db, &stored).await;
        let proxy = Proxy::start([(at, Fault::Hold)]).await;
        let slow = proxy.database(db.name()).await;
        let mut one = tokio::spawn(async move { SCHEMA.recover(&slow, &Throttle::new()).await });
        let is_held = tokio::select! {
            _ = &mut one => false,
            () = proxy.reached() => true,
        };
        if is_held {
            let other = db.clone();
            let other = tokio::spawn(async move { SCHEMA.recover(&other, &Throttle::new()).await });
            // The second recover may have to wait for the first.
            tokio::time::sleep(Duration::from_millis(50)).await;
            assert_balanced(&db).await;
            proxy.release();
            one.await.unwrap().unwrap();
            other.await.unwrap().unwrap();
        }
        assert_right(&db).await;
        assert_nothing_left(&db).await;
        if !is_held {
            assert!(at > 5, "{at}");
            break;
        }
    }
}

/// A foreign program has broken a host that has left differences. A recompute corrects the error, and no difference is
/// counted twice, also where a fold comes between two commands of the recompute.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_recompute_beside_left_differences() {
    let (db, stored) = begin_with_left().await;
    for at in 0.. {
        restore(&db, &stored).await;
        let broken = doc! { "$inc": { "messages": 5_i64, "totalBytes": -900_i64 } };
        db.collection::<Document>("hosts").update_one(doc! { "_id": 1_i64 }, broken).await.unwrap();
        assert_eq!(balance(&db).await.wrong.len(), 1);
        let report = SCHEMA.verify(&db).await.unwrap();
        assert!(report.findings().len() == 1 && report.pending().len() == 1, "{report}");
        let proxy = Proxy::start([(at, Fault::Hold)]).await;
        let slow = proxy.database(db.name()).await;
        let mut recompute = tokio::spawn(async move { Host::recompute(&slow, 1).await });
        let is_held = tokio::select! {
            ended = &mut recompute => { assert!(ended.unwrap().unwrap()); false }
            () = proxy.reached() => true,
        };
        if is_held {
            let other = db.clone();
            let fold = tokio::spawn(async move { SCHEMA.recover(&other, &Throttle::new()).await });
            tokio::time::sleep(Duration::from_millis(50)).await;
            proxy.release();
            assert!(recompute.await.unwrap().unwrap());
            fold.await.unwrap().unwrap();
        }
        assert_balanced(&db).await;
        SCHEMA.recover(&db, &Throttle::new()).await.unwrap();
        assert_right(&db).await;
        assert_nothing_left(&db).await;
        if !is_held {
            assert!(at > 2, "{at}");
            break;
        }
    }
}

/// Differences of a parent that never comes stay for an hour, and no longer.
#[tokio::test]
async fn old_differences_of_a_missing_parent_are_dropped() {
    let db = begin().await;
    let (old, young) = (ObjectId::parse_str("5e0be1000000000000000000").unwrap(), ObjectId::new());
    let difference = |parent: i64, id: ObjectId| {
        let id = doc! { "path": "logmsg_host", "parent": parent, "id": id };
        doc! { "_id": id, "count": -1_i64, "sums": {}, "extremes": true }
    };
    let differences = db.collection::<Document>("schema_deltas");
    // The parent 7 has an old difference, the parent 8 an old and a young difference, the parent 9 two young
    // differences.
    let both = [difference(8, old), difference(8, young)];
    let others = [difference(7, old), difference(9, young), difference(9, ObjectId::new())];
    differences.insert_many(both.into_iter().chain(others)).await.unwrap();
    SCHEMA.recover(&db, &Throttle::new()).await.unwrap();
    let found = all(&db, "schema_deltas").await;
    let parents: Vec<(i64, i64)> = found
        .iter()
        .map(|left| (left.get_document("_id").unwrap().get_i64("parent").unwrap(), left.get_i64("count").unwrap()))
        .collect();
    assert_eq!(parents, [(8, -2), (9, -2)]);
    assert_right(&db).await;
    assert_nothing_left(&db).await;
}
