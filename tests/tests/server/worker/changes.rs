//! The change stream: only for copies that need a stream, and with all changes before a single run.

use std::time::Duration;

use mongodb::bson::{Document, doc};
use schema_runtime::{prelude::*, worker::WorkerEvent};
use schema_tests::{CommandLog, RunningWorker, database, database_with_log, until};

use super::{
    all_offers_are, count, is_right,
    models::{Host, Plain, schema, schema_without_external},
    prepare, shell,
};

fn streams(log: &CommandLog) -> usize {
    let is_stream = |command: &Document| {
        let first = command.get_array("pipeline").ok().and_then(|stages| stages.first()?.as_document());
        first.is_some_and(|stage| stage.contains_key("$changeStream"))
    };
    log.named("aggregate").iter().filter(|command| is_stream(command)).count()
}

#[tokio::test]
async fn no_stream_without_external_copies() {
    let (db, log) = database_with_log().await;
    prepare(&db, 3, 0).await;
    log.clear();
    let worker = schema_without_external().worker(&db).recover_every(Duration::from_millis(10));
    let running = RunningWorker::start(worker.clone());
    until(async || running.recoveries() >= 5).await;
    let report = running.stop().await;
    assert!(report.recoveries >= 5 && report.recovered.is_empty(), "{report}");
    assert_eq!((streams(&log), log.named("getMore").len()), (0, 0));
    assert!(!db.list_collection_names().await.unwrap().contains(&"schema_watch".to_owned()));

    for worker in [worker.watch_all_copies(), schema().worker(&db)] {
        log.clear();
        let running = RunningWorker::start(worker);
        until(async || running.events().iter().any(|event| matches!(event, WorkerEvent::Lagging(_)))).await;
        running.stop().await;
        assert_eq!(streams(&log), 1);
    }
}

/// A worker without work sends nothing, and waits for the shutdown.
#[tokio::test]
async fn a_schema_without_work() {
    let (db, log) = database_with_log().await;
    let worker = schema![Plain].worker(&db).recover_every(Duration::from_millis(10));
    assert!(!worker.is_needed() && !worker.clone().watch_all_copies().is_needed());
    assert_eq!(worker.run_once().await.unwrap().recoveries, 1);
    let running = RunningWorker::start(worker);
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(!running.is_finished());
    assert_eq!(running.stop().await.to_string(), schema_runtime::worker::WorkerReport::default().to_string());
    assert_eq!(log.commands(), []);
    let plain = Plain { id: 1, text: String::new() };
    Plain::insert(&db, &plain).await.unwrap();
}

/// Without `watch_all_copies` the stream has external copies only.
#[tokio::test]
async fn external_copies_follow_and_other_copies_only_on_request() {
    let db = database().await;
    prepare(&db, 3, 3).await;
    let running = RunningWorker::begun(&db, schema().worker(&db)).await;
    shell(&db, "hosts", 1, doc! { "name": "of the shell" }).await;
    shell(&db, "suppliers", 1, doc! { "name": "of the shell" }).await;
    until(async || all_offers_are(&db, "of the shell").await).await;
    running.until_handled(1).await;
    let report = running.stop().await;
    assert!(report.sources == 1 && report.resyncs == 1, "{report}");
    assert_eq!(count(&db, "messages", doc! { "host_name": "of the shell" }).await, 0);

    let all = schema().worker(&db).watch_all_copies();
    let report = all.run_once().await.unwrap();
    // Another set of copies begins with a repair of the set.
    assert_eq!((report.resyncs, count(&db, "messages", doc! { "host_name": "of the shell" }).await), (1, 2));
    shell(&db, "hosts", 1, doc! { "name": "again" }).await;
    all.run_once().await.unwrap();
    assert_eq!(count(&db, "messages", doc! { "host_name": "again" }).await, 2);
    assert!(is_right(&db).await);
}

/// After a single run, everything before the run has its effect.
#[tokio::test]
async fn a_single_run_handles_all_changes_before_the_run() {
    let db = database().await;
    prepare(&db, 3, 30).await;
    let worker = schema().worker(&db);
    let first = worker.run_once().await.unwrap();
    assert_eq!((first.recoveries, first.resyncs), (1, 1), "{first}");
    for round in 0..10 {
        let name = format!("round {round}");
        for _ in 0..round {
            shell(&db, "suppliers", 1, doc! { "name": format!("before {round}") }).await;
        }
        shell(&db, "suppliers", 1, doc! { "name": &name }).await;
        let report = worker.run_once().await.unwrap();
        assert!(all_offers_are(&db, &name).await, "{report}");
        assert_eq!((report.resyncs, report.sources, report.errors), (0, 1, 0), "{report}");
    }
    let idle = worker.run_once().await.unwrap();
    assert_eq!((idle.sources, idle.holders, idle.resyncs), (0, 0, 0), "{idle}");
    assert!(is_right(&db).await);
}

/// The copies of an ordinary write follow without a worker; beside a worker the copies are the same.
#[tokio::test]
async fn writes_of_this_crate_beside_a_worker() {
    let db = database().await;
    prepare(&db, 30, 30).await;
    let fast =
        || schema().worker(&db).recover_every(Duration::from_millis(10)).grace(Duration::ZERO).watch_all_copies();
    let running = RunningWorker::begun(&db, fast()).await;
    for round in 0..50 {
        Host::update_by_id(2).set(Host::F.name, format!("round {round}")).execute(&db).await.unwrap();
    }
    until(async || is_right(&db).await).await;
    assert_eq!(count(&db, "messages", doc! { "host_name": "round 49" }).await, 30);
    let report = running.stop().await;
    assert_eq!(report.errors, 0, "{report}");
}
