//! The change stream of a worker propagates the writes of all programs, continues at the place of its stop, and repairs
//! everything when it cannot continue.

use std::{future::pending, time::Duration};

use mongodb::{
    Database,
    bson::{Document, Timestamp, doc, oid::ObjectId},
};
use schema_runtime::{
    Error, Throttle,
    local::{Server, Topology},
    prelude::*,
    worker::{Worker, WorkerEvent},
};
use schema_tests::{RunningWorker, database, database_with_log, fail_command, until};

use super::{
    models::{Offer, Part, Product},
    repair::{assert_in_sync, schema, shell, three_products},
    writes::{part, raw},
};

/// A worker that watches all copies, with a grace period longer than any test.
fn worker(db: &Database) -> Worker {
    schema().worker(db).watch_all_copies().grace(Duration::from_secs(3_600))
}

async fn names(db: &Database, id: i64) -> Vec<String> {
    Product::get_by_id(db, &id).await.unwrap().parts.into_iter().map(|part| part.name).collect()
}

async fn until_names(db: &Database, id: i64, expected: &[&str]) {
    until(async || names(db, id).await == expected).await;
}

/// Waits until no source has a mark.
async fn until_unmarked(db: &Database) {
    let marked = doc! { "_sync_products_parts_partId": { "$exists": true } };
    until(async || db.collection::<Document>("parts").count_documents(marked.clone()).await.unwrap() == 0).await;
}

/// Completes the work of a stopped worker, and checks that no copy is stale. A stop lies between two commands: the stop
/// may leave a mark on a source that the worker carries a second time.
async fn recover_and_assert_in_sync(db: &Database) {
    schema().recover(db, &Throttle::new()).await.unwrap();
    assert_in_sync(db).await;
}

#[tokio::test]
async fn what_the_shell_writes_is_carried() {
    let db = database().await;
    three_products(&db).await;
    let running = RunningWorker::begun(&db, worker(&db)).await;
    shell(&db, "parts", 1, doc! { "$set": { "name": "raw" } }).await;
    until_names(&db, 10, &["raw", "nut", "raw"]).await;
    let parts = db.collection::<Document>("parts");
    parts
        .replace_one(doc! { "_id": 2 }, doc! { "_id": 2, "name": "replaced", "madeIn": "Rome", "qty": 1 })
        .await
        .unwrap();
    until_names(&db, 10, &["raw", "replaced", "raw"]).await;
    shell(&db, "parts", 2, doc! { "$unset": { "madeIn": "" } }).await;
    shell(&db, "parts", 2, doc! { "$set": { "name": "set" } }).await;
    until_names(&db, 11, &["set"]).await;
    parts.delete_one(doc! { "_id": 2 }).await.unwrap();
    parts.insert_one(doc! { "_id": 2, "name": "again", "qty": 1 }).await.unwrap();
    until_names(&db, 11, &["again"]).await;
    // The worker does nothing for a field without copies, and nothing for a write that the crate propagates.
    shell(&db, "parts", 1, doc! { "$set": { "qty": 5 } }).await;
    Part::update_by_id(1).set(Part::F.name, "ours").execute(&db).await.unwrap();
    parts.insert_one(doc! { "_id": 3, "name": "without holders", "qty": 1 }).await.unwrap();
    shell(&db, "parts", 1, doc! { "$set": { "madeIn": "Rome" } }).await;
    until(async || Product::get_by_id(&db, &10).await.unwrap().parts[0].made_in.is_some()).await;
    until_unmarked(&db).await;
    let followed = running.stop().await;
    assert_eq!(followed.resyncs, 1);
    // The stream may find a source through its holders first, by an update of the holders' arrays.
    assert!((4..=6).contains(&followed.sources), "{followed}");
    recover_and_assert_in_sync(&db).await;
}

/// A pipeline of the shell, or of this crate, may arrive as a replace with the same values: the worker sweeps nothing,
/// and causes no further event.
#[tokio::test]
async fn a_replace_of_the_same_values_is_not_swept() {
    let (db, log) = database_with_log().await;
    three_products(&db).await;
    let running = RunningWorker::begun(&db, worker(&db)).await;
    let parts = db.collection::<Document>("parts");
    log.clear();
    for _ in 0..3 {
        let stored = raw(&db, "parts", 1).await;
        parts.replace_one(doc! { "_id": 1 }, stored).await.unwrap();
    }
    shell(&db, "parts", 2, doc! { "$set": { "name": "end" } }).await;
    until_names(&db, 11, &["end"]).await;
    until_unmarked(&db).await;
    running.stop().await;
    let swept =
        log.named("update").into_iter().filter(|update| update.get_str("update").is_ok_and(|name| name == "products"));
    assert_eq!(swept.count(), 1);
    assert!(log.named("findAndModify").len() <= 4);
    recover_and_assert_in_sync(&db).await;
}

#[tokio::test]
async fn marks_are_carried_after_their_grace_and_those_left_to_a_worker_at_once() {
    let db = database().await;
    three_products(&db).await;
    let running = RunningWorker::begun(&db, worker(&db)).await;
    Part::update_by_id(1).set(Part::F.name, "later").defer_copies().execute(&db).await.unwrap();
    until_names(&db, 10, &["later", "nut", "later"]).await;
    until_unmarked(&db).await;
    running.until_handled(1).await;
    let report = running.stop().await;
    assert_eq!((report.marks, report.recovered.sources), (1, 0));

    let mark = doc! { "name": "dead", "_sync_products_parts_partId": ObjectId::new() };
    shell(&db, "parts", 2, doc! { "$set": mark, "$currentDate": { "_v": { "$type": "timestamp" } } }).await;
    let running = RunningWorker::start(worker(&db));
    shell(&db, "parts", 1, doc! { "$set": { "name": "raw" } }).await;
    // A holder that was written for another reason may lead the stream to the source, before the mark does.
    until(async || names(&db, 10).await[0] == "raw").await;
    let report = running.stop().await;
    assert_eq!((report.marks, report.recovered.sources), (0, 0));
    let running = RunningWorker::start(worker(&db).grace(Duration::ZERO));
    until_names(&db, 10, &["raw", "dead", "raw"]).await;
    until_unmarked(&db).await;
    until(async || running.recoveries() > 0).await;
    let report = running.stop().await;
    assert!(report.marks == 0 && report.recovered.sources >= 1, "{report}");
    recover_and_assert_in_sync(&db).await;
}

#[tokio::test]
async fn it_goes_on_where_it_was_stopped() {
    let db = database().await;
    three_products(&db).await;
    let running = RunningWorker::begun(&db, worker(&db)).await;
    assert_eq!(running.stop().await.resyncs, 1);
    shell(&db, "parts", 1, doc! { "$set": { "name": "meanwhile" } }).await;
    let running = RunningWorker::start(worker(&db));
    until_names(&db, 10, &["meanwhile", "nut", "meanwhile"]).await;
    running.until_handled(1).await;
    let followed = running.stop().await;
    assert_eq!((followed.resyncs, followed.sources), (0, 1));
    let stored = db.collection::<Document>("schema_watch").find_one(doc! {}).await.unwrap().unwrap();
    // The token is stored after the effect: the token stands for finished work.
    assert!(stored.contains_key("token"), "{stored}");
    assert_eq!(
        stored.get_str("_id").unwrap(),
        "logmsg_host:ab7f5466,offers_supplier:34ed03bc,products_parts_partId:38a81559"
    );
    let running = RunningWorker::start(worker(&db));
    shell(&db, "parts", 2, doc! { "$set": { "name": "then" } }).await;
    until_names(&db, 11, &["then"]).await;
    running.until_handled(1).await;
    let followed = running.stop().await;
    assert_eq!((followed.resyncs, followed.sources), (0, 1));
}

/// An unknown token, and an oplog that does not go back far enough.
#[tokio::test]
async fn where_changes_are_lost_everything_is_repaired() {
    let db = database().await;
    three_products(&db).await;
    RunningWorker::begun(&db, worker(&db)).await.stop().await;
    let tokens = db.collection::<Document>("schema_watch");
    for (round, lost) in ["unknown", "forgotten"].into_iter().enumerate() {
        // A worker that stops before the clear of a mark leaves the mark. A repair leaves copies of a marked source.
        schema().recover(&db, &Throttle::new()).await.unwrap();
        shell(&db, "parts", 1, doc! { "$set": { "name": lost } }).await;
        let fail = match lost {
            "unknown" => {
                let token = doc! { "$set": { "token": { "_data": "no token" } } };
                tokens.update_one(doc! {}, token).await.unwrap();
                None
            }
            _ => {
                let data = doc! { "failCommands": ["aggregate"], "errorCode": 286 };
                Some(fail_command(&db, doc! { "times": 1 }, data).await)
            }
        };
        let running = RunningWorker::start(worker(&db));
        until_names(&db, 10, &[lost, "nut", lost]).await;
        shell(&db, "parts", 1, doc! { "$set": { "madeIn": lost } }).await;
        let after = async || Product::get_by_id(&db, &10).await.unwrap().parts[0].made_in.as_deref() == Some(lost);
        until(after).await;
        until(async || running.resyncs() > 0).await;
        assert_eq!(running.stop().await.resyncs, 1, "{round}");
        if let Some(fail) = fail {
            fail.clear().await;
        }
    }
    recover_and_assert_in_sync(&db).await;
}

#[tokio::test]
async fn errors_that_pass_are_waited_out_and_others_returned() {
    let db = database().await;
    three_products(&db).await;
    let running = RunningWorker::begun(&db, worker(&db)).await;
    let data = doc! { "failCommands": ["getMore", "findAndModify", "update"], "closeConnection": true };
    let fail = fail_command(&db, doc! { "times": 6 }, data).await;
    let outside = schema_tests::server().await.client().await.unwrap().database(db.name());
    shell(&outside, "parts", 1, doc! { "$set": { "name": "raw" } }).await;
    until(async || names(&outside, 10).await == ["raw", "nut", "raw"]).await;
    fail.clear().await;
    until_unmarked(&db).await;
    running.stop().await;
    recover_and_assert_in_sync(&db).await;

    let data = doc! { "failCommands": ["aggregate"], "errorCode": 13 };
    let fail = fail_command(&db, doc! { "times": 1 }, data).await;
    let error = worker(&db).run_until(pending()).await.unwrap_err();
    fail.clear().await;
    assert!(matches!(error, Error::Driver(_) | Error::NotAuthorized { .. }), "{error}");
}

#[tokio::test]
async fn a_standalone_has_nothing_to_follow() {
    let server = Server::builder().own(true).topology(Topology::Standalone).start().await.unwrap();
    let db = server.database("copies").await.unwrap();
    let error = worker(&db).run_until(pending()).await.unwrap_err();
    assert!(matches!(error, Error::NotReplicaSet), "{error}");
}

/// A source that another program writes: the copies follow the source, also in holders that were inserted with older
/// values, and the source gets no version and no mark.
#[tokio::test]
async fn followed_copies_follow() {
    let db = database().await;
    schema().plan(&db).await.unwrap().apply(&db).await.unwrap();
    let suppliers = db.collection::<Document>("suppliers");
    suppliers.insert_many([doc! { "_id": 1_i64, "name": "Ann" }, doc! { "_id": 2_i64, "name": "Eve" }]).await.unwrap();
    let offer = |id| Offer { id, supplier: Ref::new(1), supplied_by: String::new() };
    Offer::insert(&db, &offer(1)).await.unwrap();
    let running = RunningWorker::begun(&db, worker(&db)).await;
    let supplied_by = async |id: i64| Offer::get_by_id(&db, &id).await.unwrap().supplied_by;

    shell(&db, "suppliers", 1, doc! { "$set": { "name": "Bob" } }).await;
    until(async || supplied_by(1).await == "Bob").await;
    // The writer of the offer had read the source before the change.
    let late = doc! { "_id": 2_i64, "supplier": 1_i64, "supplied_by": "Ann" };
    db.collection::<Document>("offers").insert_one(late).await.unwrap();
    until(async || supplied_by(2).await == "Bob").await;
    let moved = doc! { "$set": { "supplier": 2_i64, "supplied_by": "Cid" }, "$unset": { "_v_supplier": "" } };
    shell(&db, "offers", 1, moved).await;
    until(async || supplied_by(1).await == "Eve").await;
    suppliers.replace_one(doc! { "_id": 2 }, doc! { "_id": 2_i64, "name": "Fay" }).await.unwrap();
    until(async || supplied_by(1).await == "Fay").await;
    assert!(running.stop().await.holders >= 2);
    assert_eq!(raw(&db, "suppliers", 2).await, doc! { "_id": 2_i64, "name": "Fay" });
    // An older value does not replace a newer value: the copy has its time beside the value.
    assert!(raw(&db, "offers", 1).await.get_timestamp("_v_supplier").unwrap() > Timestamp { time: 1, increment: 1 });
    recover_and_assert_in_sync(&db).await;
}

/// `$out` replaces the collection of the sources, and a drop ends the stream.
#[tokio::test]
async fn a_collection_that_is_replaced_or_dropped() {
    let db = database().await;
    three_products(&db).await;
    let running = RunningWorker::begun(&db, worker(&db)).await;
    let parts = db.collection::<Document>("parts");
    let renamed = doc! { "$set": { "name": { "$concat": ["all ", "$name"] } } };
    parts.aggregate([renamed, doc! { "$out": "parts" }]).await.unwrap();
    until_names(&db, 10, &["all bolt", "all nut", "all bolt"]).await;
    db.drop().await.unwrap();
    three_products(&db).await;
    let first = running.is_finished();
    shell(&db, "parts", 1, doc! { "$set": { "name": "after" } }).await;
    until_names(&db, 10, &["after", "nut", "after"]).await;
    until_unmarked(&db).await;
    // The resync after the drop may fail halfway, as when a collection comes and goes, and then runs again.
    until(async || running.resyncs() >= 2).await;
    assert!(!first && running.stop().await.resyncs >= 2);
    recover_and_assert_in_sync(&db).await;
}

/// Two processes beside writers of both kinds. A process is dropped in between and started again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_at_once_beside_writers_and_one_of_them_dropped() {
    let db = database().await;
    three_products(&db).await;
    let running = RunningWorker::begun(&db, worker(&db)).await;
    let mut other = Some(RunningWorker::start(worker(&db)));
    for round in 0..30 {
        shell(&db, "parts", 1, doc! { "$set": { "name": format!("raw {round}") } }).await;
        Part::update_by_id(2).set(Part::F.name, format!("nut {round}")).execute(&db).await.unwrap();
        shell(&db, "parts", 2, doc! { "$set": { "madeIn": format!("raw {round}") } }).await;
        if round == 15 {
            other.take().unwrap().abort().await;
        }
        if round % 5 == 0 {
            Part::delete_by_id(&db, &1).await.unwrap();
            Part::insert(&db, &part(1, "again")).await.unwrap();
        }
    }
    let again = RunningWorker::start(worker(&db));
    until_names(&db, 10, &["raw 29", "nut 29", "raw 29"]).await;
    until(async || Product::get_by_id(&db, &11).await.unwrap().parts[0].made_in.as_deref() == Some("raw 29")).await;
    let is_idle =
        |event: &WorkerEvent| matches!(event, WorkerEvent::Lagging(lag) if lag.behind.is_zero() && lag.events > 0);
    until(async || {
        running.events().iter().rfind(|event| matches!(event, WorkerEvent::Lagging(_))).is_some_and(is_idle)
    })
    .await;
    running.stop().await;
    again.stop().await;
    recover_and_assert_in_sync(&db).await;
}
