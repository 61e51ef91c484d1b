//! The end of a worker: between two commands, with the position of the stream. The next worker continues.

use std::time::{Duration, Instant};

use mongodb::{
    Database,
    bson::{Document, doc},
};
use schema_runtime::{Throttle, prelude::*, worker::Worker};
use schema_tests::{Fault, Proxy, RunningWorker, database, database_with_log, until};

use super::{
    MANY, all_offers_are, count, is_right,
    models::{Host, schema},
    prepare, shell,
};

/// A worker that needs a minute for many holders.
fn slow(db: &Database) -> Worker {
    schema().worker(db).throttle(Throttle::new().chunk(1).pause(Duration::from_millis(30)))
}

fn fast(db: &Database) -> Worker {
    schema().worker(db).recover_every(Duration::from_millis(50)).grace(Duration::ZERO)
}

async fn position(db: &Database) -> Document {
    db.collection::<Document>("schema_watch").find_one(doc! {}).await.unwrap().unwrap()
}

/// A shutdown and a drop while a recovery and a large propagation are under way. The next worker continues at the
/// stored position.
#[tokio::test]
async fn an_end_while_work_is_under_way() {
    for is_dropped in [false, true] {
        let db = database().await;
        prepare(&db, MANY, MANY).await;
        let running = RunningWorker::begun(&db, slow(&db)).await;
        shell(&db, "suppliers", 1, doc! { "name": "new" }).await;
        until(async || count(&db, "offers", doc! { "supplied_by": "new" }).await > 3).await;
        let begun = Instant::now();
        match is_dropped {
            true => running.abort().await,
            false => {
                let report = running.stop().await;
                assert_eq!((report.sources, report.resyncs, report.errors), (1, 1, 0), "{report}");
            }
        }
        assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
        assert!(!all_offers_are(&db, "new").await, "the work was at its end already");

        Host::update_by_id(2).set(Host::F.name, "new").defer_copies().execute(&db).await.unwrap();
        let running = RunningWorker::start(slow(&db));
        until(async || count(&db, "messages", doc! { "host_name": "new" }).await > 3).await;
        let begun = Instant::now();
        match is_dropped {
            true => running.abort().await,
            false => assert_eq!(running.stop().await.recoveries, 0),
        }
        assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
        assert!(count(&db, "messages", doc! { "host_name": "begin" }).await > 0, "the work was at its end already");

        // The position does not cover the unfinished batch: the changed source is propagated again, without a repair of
        // everything.
        let running = RunningWorker::start(fast(&db));
        until(async || all_offers_are(&db, "new").await && is_right(&db).await).await;
        let report = running.stop().await;
        assert!(report.resyncs == 0 && report.errors == 0, "{report}");
        assert_eq!(count(&db, "messages", doc! { "host_name": "new" }).await as i64, MANY);
    }
}

/// A stream without changes stores the position at the shutdown.
#[tokio::test]
async fn the_position_is_stored_at_the_end() {
    let db = database().await;
    prepare(&db, 0, 3).await;
    let running = RunningWorker::begun(&db, schema().worker(&db)).await;
    assert!(position(&db).await.contains_key("time"), "the first position is the time before the repair");
    let is_lag = |event: &schema_runtime::worker::WorkerEvent| event.to_string().starts_with("changes: ");
    until(async || running.events().iter().any(is_lag)).await;
    assert_eq!(running.stop().await.events, 0);
    let stored = position(&db).await;
    assert!(stored.contains_key("token") && !stored.contains_key("time"), "{stored}");
    shell(&db, "suppliers", 1, doc! { "name": "between" }).await;
    let report = schema().worker(&db).run_once().await.unwrap();
    assert!(all_offers_are(&db, "between").await && report.resyncs == 0, "{report}");
}

/// After the shutdown no command begins, and a command under way gets its reply: no connection is closed in the middle
/// of a command.
#[tokio::test]
async fn a_shutdown_is_between_two_commands() {
    let (db, log) = database_with_log().await;
    prepare(&db, 0, MANY).await;
    let running = RunningWorker::begun(&db, slow(&db)).await;
    shell(&db, "suppliers", 1, doc! { "name": "new" }).await;
    until(async || count(&db, "offers", doc! { "supplied_by": "new" }).await > 3).await;
    running.stop().await;
    let (new, commands) = (count(&db, "offers", doc! { "supplied_by": "new" }).await, log.commands().len());
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(count(&db, "offers", doc! { "supplied_by": "new" }).await, new);
    let later: Vec<String> = log.commands()[commands..].iter().map(|(name, _)| name.clone()).collect();
    assert!(later.iter().all(|name| name == "aggregate" || name == "killCursors"), "{later:?}");
}

/// The server does not answer any more: the shutdown has a bound.
#[tokio::test]
async fn a_shutdown_while_the_server_is_silent() {
    let db = database().await;
    prepare(&db, 3, 3).await;
    RunningWorker::begun(&db, schema().worker(&db)).await.stop().await;
    let proxy = Proxy::start([(2, Fault::Hold)]).await;
    let running = RunningWorker::start(schema().worker(&proxy.database(db.name()).await));
    proxy.reached().await;
    let begun = Instant::now();
    running.stop().await;
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
    proxy.release();
}

/// Two workers with all jobs beside writers of both kinds; one of the workers ends and begins again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_workers_at_once() {
    let db = database().await;
    prepare(&db, 20, 20).await;
    let all = || fast(&db).watch_all_copies().recover_every(Duration::from_millis(10));
    let first = RunningWorker::begun(&db, all()).await;
    let mut second = RunningWorker::start(all());
    for round in 0..40 {
        let name = format!("round {round}");
        Host::update_by_id(1).set(Host::F.name, name.as_str()).execute(&db).await.unwrap();
        Host::update_by_id(2).set(Host::F.name, name.as_str()).defer_copies().execute(&db).await.unwrap();
        shell(&db, "suppliers", 1, doc! { "name": &name }).await;
        shell(&db, "categories", 2, doc! { "_moving": [3_i64] }).await;
        if round % 10 == 5 {
            match round {
                15 => second.abort().await,
                _ => drop(second.stop().await),
            }
            second = RunningWorker::start(all());
        }
    }
    until(async || all_offers_are(&db, "round 39").await && is_right(&db).await).await;
    for worker in [first, second] {
        let report = worker.stop().await;
        assert!(report.recoveries > 0, "{report}");
    }
    assert_eq!(count(&db, "messages", doc! { "host_name": "round 39" }).await, 22);
    assert!(is_right(&db).await);
}
