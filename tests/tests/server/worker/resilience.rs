//! Errors of the network and of the server do not end a worker. Errors of the setup end a worker.

use std::{
    future::pending,
    time::{Duration, Instant},
};

use mongodb::{Database, bson::doc};
use schema_runtime::{
    Error, ErrorKind,
    local::{Server, Topology},
    prelude::*,
    transaction,
    worker::{WorkerEvent, WorkerJob},
};
use schema_tests::{PATIENCE, RunningWorker, builder, database, fail_command, run_and_stop, server, until};

use super::{
    all_offers_are, count, is_right,
    models::{Host, schema, schema_without_external},
    prepare, shell,
};

fn fast(db: &Database) -> schema_runtime::worker::Worker {
    schema().worker(db).recover_every(Duration::from_millis(50)).grace(Duration::ZERO)
}

/// Returns the failures of a job in a row, and the waits.
fn failures(running: &RunningWorker, of: WorkerJob) -> Vec<(u32, Duration, ErrorKind)> {
    let failure = |event| match event {
        WorkerEvent::Retrying { job, failures, wait, kind, .. } if job == of => Some((failures, wait, kind)),
        _ => None,
    };
    running.events().into_iter().filter_map(failure).collect()
}

/// The primary steps down while the worker runs, and is killed while the worker runs. Each write of a client is tried
/// until a primary takes the write.
#[tokio::test]
async fn an_election() {
    let server = builder().own(true).start().await.unwrap();
    let (db, outside) = (server.database("shop").await.unwrap(), server.database("shop").await.unwrap());
    prepare(&outside, 3, 30).await;
    let running = RunningWorker::begun(&db, fast(&db)).await;
    for round in 1..=2 {
        if round == 1 {
            let step_down = doc! { "replSetStepDown": 2, "force": true };
            outside.client().database("admin").run_command(step_down).await.unwrap();
        } else {
            server.kill(0).await.unwrap();
            until(async || running.errors() > 0).await;
            server.restart(0).await.unwrap();
        }
        let name = format!("round {round}");
        let renamed =
            async || Host::update_by_id(1).set(Host::F.name, name.as_str()).defer_copies().execute(&outside).await;
        until(async || renamed().await.is_ok()).await;
        shell(&outside, "suppliers", 1, doc! { "name": &name }).await;
        until(async || all_offers_are(&outside, &name).await).await;
        until(async || count(&outside, "messages", doc! { "host_name": &name }).await == 2).await;
        assert!(!running.is_finished());
    }
    until(async || is_right(&outside).await).await;
    let all = [WorkerJob::Recovery, WorkerJob::Changes].map(|job| failures(&running, job)).concat();
    assert!(
        all.iter().all(|(_, wait, kind)| *kind == ErrorKind::Unavailable && *wait <= Duration::from_secs(10)),
        "{:?}",
        running.events()
    );
    let report = running.stop().await;
    // The stream continues at the position, without a repair of everything.
    assert!(report.resyncs == 1 && report.errors as usize == all.len(), "{report}");
}

/// Each command of both jobs fails several times in a row, in several ways.
#[tokio::test]
async fn commands_that_fail_for_some_time() {
    let db = database().await;
    prepare(&db, 3, 3).await;
    let outside = server().await.database(db.name()).await.unwrap();
    let commands = ["find", "getMore", "aggregate", "update", "findAndModify", "insert", "delete"];
    let ways = [
        doc! { "closeConnection": true },
        doc! { "errorCode": 10107 },
        doc! { "errorCode": 11602 },
        doc! { "errorCode": 91, "errorLabels": ["RetryableWriteError"] },
        doc! { "errorCode": 50 },
        doc! { "errorCode": 8 },
    ];
    let running = RunningWorker::begun(&db, fast(&db)).await;
    for (round, way) in ways.into_iter().enumerate() {
        let (name, before) = (format!("round {round}"), running.errors());
        let mut data = way.clone();
        data.insert("failCommands", commands.to_vec());
        let fail = fail_command(&db, doc! { "times": 8 }, data).await;
        run_and_stop(db.name(), {
            let name = name.clone();
            move |db| {
                Box::pin(async move {
                    Host::update_by_id(1).set(Host::F.name, name.as_str()).defer_copies().execute(&db).await.unwrap();
                    shell(&db, "suppliers", 1, doc! { "name": name }).await;
                })
            }
        })
        .await;
        until(async || all_offers_are(&outside, &name).await).await;
        until(async || count(&outside, "messages", doc! { "host_name": &name }).await == 2).await;
        fail.clear().await;
        assert!(running.errors() > before && !running.is_finished(), "{way}");
    }
    // A failed command may leave a mark after the last copy: the next recovery clears the mark.
    until(async || is_right(&outside).await).await;
    let report = running.stop().await;
    assert!(report.errors >= 6 && report.resyncs == 1, "{report}");
}

/// The oplog is too short for the repair of everything, for some time. The worker repairs again, and waits between the
/// attempts.
#[tokio::test]
async fn changes_that_are_lost_again_and_again() {
    let db = database().await;
    prepare(&db, 3, 3).await;
    RunningWorker::begun(&db, schema().worker(&db)).await.stop().await;
    // The repair aggregates too, in collections.
    let stream = format!("{}.$cmd.aggregate", db.name());
    let data = doc! { "failCommands": ["aggregate"], "errorCode": 286, "namespace": stream };
    let fail = fail_command(&db, doc! { "times": 6 }, data).await;
    let running = RunningWorker::start(schema().worker(&db));
    shell(&db, "suppliers", 1, doc! { "name": "repaired" }).await;
    until(async || failures(&running, WorkerJob::Changes).len() >= 3).await;
    fail.clear().await;
    until(async || running.events().iter().any(|event| matches!(event, WorkerEvent::Lagging(_)))).await;
    shell(&db, "suppliers", 1, doc! { "name": "followed" }).await;
    until(async || all_offers_are(&db, "followed").await).await;
    let report = running.stop().await;
    assert!(report.errors == 3 && report.resyncs == 6, "{report}");
}

/// A single run whose position is lost repairs everything, and still comes to its end.
#[tokio::test]
async fn a_single_run_whose_position_is_lost() {
    let db = database().await;
    prepare(&db, 3, 3).await;
    schema().worker(&db).run_once().await.unwrap();
    let stream = format!("{}.$cmd.aggregate", db.name());
    for command in ["aggregate", "getMore"] {
        shell(&db, "suppliers", 1, doc! { "name": command }).await;
        let data = doc! { "failCommands": [command], "errorCode": 280, "namespace": &stream };
        let fail = fail_command(&db, doc! { "times": 1 }, data).await;
        let report = schema().worker(&db).run_once().await;
        fail.clear().await;
        let report = report.unwrap();
        assert!(report.resyncs == 1 && all_offers_are(&db, command).await, "{command}: {report}");
    }
    assert_eq!(schema().worker(&db).run_once().await.unwrap().resyncs, 0);
}

/// The waits grow while the errors go on, and begin again after a success.
#[tokio::test]
async fn waits_between_attempts_grow() {
    let db = database().await;
    prepare(&db, 3, 3).await;
    let running = RunningWorker::start(schema_without_external().worker(&db).recover_every(Duration::from_millis(20)));
    until(async || running.recoveries() > 0).await;
    for round in 0..2 {
        let before = failures(&running, WorkerJob::Recovery).len();
        let data = doc! { "failCommands": ["find"], "errorCode": 91 };
        let fail = fail_command(&db, "alwaysOn", data).await;
        until(async || failures(&running, WorkerJob::Recovery).len() >= before + 4).await;
        fail.clear().await;
        let recoveries = running.recoveries();
        until(async || running.recoveries() > recoveries).await;
        let all = &failures(&running, WorkerJob::Recovery)[before..];
        for (number, (failures, wait, kind)) in (1..).zip(all) {
            let longest = Duration::from_millis(100 << (number - 1)).min(Duration::from_secs(10));
            assert_eq!((*failures, *kind), (number, ErrorKind::Unavailable), "{round}");
            assert!(*wait <= longest && *wait >= longest / 2, "{round}: {all:?}");
        }
    }
    running.stop().await;
}

/// An error that needs a change of the setup.
#[tokio::test]
async fn errors_of_the_setup_end_a_worker() {
    let db = database().await;
    prepare(&db, 3, 3).await;
    for command in ["find", "aggregate"] {
        let data = doc! { "failCommands": [command], "errorCode": 13 };
        let fail = fail_command(&db, "alwaysOn", data).await;
        let running = RunningWorker::start(fast(&db));
        until(async || running.is_finished()).await;
        let events = running.events();
        let error = running.ended().await.unwrap_err();
        fail.clear().await;
        assert!(matches!(error, Error::Driver(_) | Error::NotAuthorized { .. }), "{error}");
        assert!(!events.iter().any(|event| matches!(event, WorkerEvent::Retrying { .. })), "{events:?}");
    }

    // The server does not know this user.
    let host = server().await.uri().trim_start_matches("mongodb://").split(['/', '?']).next().unwrap().to_owned();
    let uri = format!("mongodb://ann:hunter2@{host}/?directConnection=true");
    let stranger = mongodb::Client::with_uri_str(uri).await.unwrap().database(db.name());
    let begun = Instant::now();
    let error = fast(&stranger).run_until(pending()).await.unwrap_err();
    assert!(!format!("{error} {error:?}").contains("hunter2") && begun.elapsed() < PATIENCE, "{error}");

    let inside = transaction(&db, |tx| {
        let db = db.clone();
        async move {
            Host::get_by_id(&tx, &1).await?;
            fast(&db).run_until(pending()).await.map(drop)
        }
    });
    assert!(matches!(inside.await, Err(Error::OutsideTransaction)));
}

/// A standalone has no change streams. Recoveries need no change stream.
#[tokio::test]
async fn a_standalone() {
    let server = Server::builder().own(true).topology(Topology::Standalone).start().await.unwrap();
    let db = server.database("shop").await.unwrap();
    let error = fast(&db).run_until(pending()).await.unwrap_err();
    assert!(matches!(error, Error::NotReplicaSet), "{error}");
    // A position that is left from a replica set.
    let running = RunningWorker::start(schema_without_external().worker(&db).recover_every(Duration::from_millis(20)));
    until(async || running.recoveries() >= 3).await;
    assert_eq!(running.stop().await.errors, 0);
}
