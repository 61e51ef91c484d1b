//! Recoveries at intervals.

use std::time::Duration;

use mongodb::{
    Database,
    bson::{doc, oid::ObjectId},
};
use schema_runtime::prelude::*;
use schema_tests::{Fault, Proxy, RunningWorker, database, rollups::leave_differences, run_behind, until};

use super::{
    count, is_right,
    models::{Host, schema, schema_without_external},
    prepare, shell,
};

/// Stops a client that has renamed a host, before the copies follow.
async fn stop_in_a_rename(db: &Database, name: &'static str) {
    let proxy = Proxy::start([(1, Fault::StopBefore)]).await;
    let rename = move |db: Database| -> futures_util::future::BoxFuture<'static, Result<()>> {
        Box::pin(async move { Host::update_by_id(2).set(Host::F.name, name).execute(&db).await.map(drop) })
    };
    let ended = run_behind(&proxy, db.name(), rename).await;
    assert!(ended.is_stopped, "{ended:?}");
    assert_eq!(count(db, "messages", doc! { "host": 2, "host_name": name }).await, 0);
}

/// Each kind of work, left behind while the worker runs.
#[tokio::test]
async fn left_work_is_done_at_intervals() {
    let db = database().await;
    prepare(&db, 3, 0).await;
    let worker = schema_without_external().worker(&db).recover_every(Duration::from_millis(50)).grace(Duration::ZERO);
    assert!(worker.is_needed());
    let running = RunningWorker::start(worker);
    for round in ["first", "second"] {
        running.until_recovered().await;
        stop_in_a_rename(&db, round).await;
        leave_differences(&db, "messages_host", [1], doc! { "bytes": { "plus": [10_i64], "minus": [10_i64] } }).await;
        Host::update_by_id(1).set(Host::F.name, round).defer_copies().execute(&db).await.unwrap();
        shell(&db, "hosts", 1, doc! { "_deleting": { "mark": ObjectId::new(), "passed": false } }).await;
        shell(&db, "messages", 11, doc! { "_unchecked": ObjectId::new() }).await;
        shell(&db, "categories", 2, doc! { "_moving": [3_i64] }).await;
        until(async || is_right(&db).await).await;
        running.until_recovered().await;
        assert_eq!(count(&db, "messages", doc! { "host_name": round }).await, 5);
        assert!(!running.is_finished());
    }
    let report = running.stop().await;
    let counts = report.recovered;
    assert!(report.recoveries >= 4 && counts.sources >= 4, "{report}");
    assert_eq!((counts.differences, counts.deletes, counts.inserts, counts.moves), (2, 2, 2, 2), "{report}");
    assert_eq!((counts.refused, report.errors, report.events, report.resyncs), (0, 0, 0, 0), "{report}");
}

/// The writer of a young mark is perhaps at work. A deferred mark has no writer.
#[tokio::test]
async fn a_young_mark_waits_for_the_grace() {
    let db = database().await;
    prepare(&db, 3, 0).await;
    let worker = schema().worker(&db).grace(Duration::from_secs(3_600));
    stop_in_a_rename(&db, "young").await;
    let marked = doc! { "_sync_messages_host": { "$exists": true } };
    let report = worker.run_once().await.unwrap();
    assert!(report.recoveries == 1 && report.recovered.is_empty(), "{report}");
    assert_eq!(count(&db, "hosts", marked.clone()).await, 1);
    Host::update_by_id(1).set(Host::F.name, "deferred").defer_copies().execute(&db).await.unwrap();
    assert_eq!(worker.run_once().await.unwrap().recovered.sources, 1);
    assert_eq!(count(&db, "messages", doc! { "host_name": "deferred" }).await, 2);
    let report = worker.grace(Duration::ZERO).run_once().await.unwrap();
    assert_eq!(report.recovered.to_string(), "1 source");
    assert_eq!(count(&db, "messages", doc! { "host_name": "young" }).await, 3);
    assert_eq!(count(&db, "hosts", marked).await, 0);
}
