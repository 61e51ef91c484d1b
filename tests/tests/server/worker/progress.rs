//! The events, the spans and the report of a worker have counts and names, and no value of a document.

use std::{sync::Mutex, time::Duration};

use mongodb::bson::{Document, doc};
use schema_runtime::{
    Throttle,
    prelude::*,
    worker::{WorkerEvent, WorkerJob},
};
use schema_tests::{RunningWorker, Spans, database, fail_command, until};

use super::{
    all_offers_are, count,
    models::{Host, Offer, schema},
    prepare, shell,
};

/// An `_id` and values that no event may hold.
const SECRET_ID: i64 = 987_654_321;
const SECRETS: [&str; 2] = ["987654321", "secret"];

#[tokio::test]
async fn events_and_spans_have_counts_and_no_values() {
    let (spans, _guard) = Spans::collect();
    let db = database().await;
    prepare(&db, 3, 3).await;
    Offer::insert(&db, &Offer { id: SECRET_ID, supplier: Ref::new(1), supplied_by: String::new() }).await.unwrap();
    spans.take();
    let worker = schema().worker(&db).recover_every(Duration::from_millis(20)).grace(Duration::ZERO);
    let running = RunningWorker::begun(&db, worker).await;
    Host::update_by_id(1).set(Host::F.name, "secret").defer_copies().execute(&db).await.unwrap();
    shell(&db, "suppliers", 1, doc! { "name": "secret" }).await;
    until(async || all_offers_are(&db, "secret").await).await;
    until(async || count(&db, "messages", doc! { "host_name": "secret" }).await == 2).await;

    // The server refuses a holder, whose `_id` is in the report of `recover`.
    let refusing = doc! { "collMod": "messages", "validator": { "host_name": { "$ne": "secret 2" } } };
    db.run_command(refusing).await.unwrap();
    db.collection::<Document>("messages")
        .update_one(doc! { "_id": 1 }, doc! { "$set": { "bytes": 5_i64 } })
        .await
        .unwrap();
    Host::update_by_id(1).set(Host::F.name, "secret 2").defer_copies().execute(&db).await.unwrap();
    let is_refused = |event: &WorkerEvent| matches!(event, WorkerEvent::Recovered { counts, .. } if counts.refused > 0);
    until(async || running.events().iter().any(is_refused)).await;

    let data = doc! { "failCommands": ["getMore", "find"], "errorCode": 8, "errmsg": "secret" };
    let fail = fail_command(&db, doc! { "times": 4 }, data).await;
    let has_failed = |event: &WorkerEvent, of| matches!(event, WorkerEvent::Retrying { job, .. } if *job == of);
    until(async || running.events().iter().any(|event| has_failed(event, WorkerJob::Recovery))).await;
    fail.clear().await;

    let events = running.events();
    let report = running.stop().await;
    let sum = |of: fn(&WorkerEvent) -> u64| events.iter().map(of).sum::<u64>();
    let sources = sum(|event| if let WorkerEvent::Recovered { counts, .. } = event { counts.sources } else { 0 });
    assert!(sources >= 1 && report.recovered.sources >= sources, "{report}");
    assert_eq!(sum(|event| matches!(event, WorkerEvent::Resynced { refused: 0, .. }).into()), 1);
    let handled =
        events.iter().filter_map(|event| if let WorkerEvent::Lagging(lag) = event { Some(lag.events) } else { None });
    let handled: Vec<u64> = handled.collect();
    assert!(
        handled.is_sorted() && handled.last().is_some_and(|events| (1..=report.events).contains(events)),
        "{handled:?}"
    );
    assert_eq!(sum(|event| matches!(event, WorkerEvent::Retrying { .. }).into()), report.errors);

    let recorded = spans.take();
    let named = |name| recorded.iter().filter(move |span| span.name == name);
    assert!(named("recovery").any(|span| span.fields.get("worker.sources").is_some_and(|sources| sources == "1")));
    assert!(named("changes").any(|span| span.fields.get("worker.events").is_some_and(|events| events == "1")));
    assert!(named("command").any(|span| span.parent == Some("recovery")), "{recorded:#?}");
    assert!(named("command").any(|span| span.parent == Some("changes")), "{recorded:#?}");

    let texts = events.iter().map(|event| format!("{event} {event:?}"));
    let texts = texts.chain([format!("{report} {report:?}"), format!("{recorded:?}"), format!("{:?}", spans.events())]);
    for text in texts {
        assert!(SECRETS.iter().all(|secret| !text.contains(secret)), "{text}");
    }
}

/// The throttle of a worker reports the documents of a long recovery.
#[tokio::test]
async fn the_progress_of_a_long_recovery() {
    static DONE: Mutex<Vec<u64>> = Mutex::new(Vec::new());
    let db = database().await;
    prepare(&db, 3, 0).await;
    for id in 1..=2 {
        Host::update_by_id(id).set(Host::F.name, "new").defer_copies().execute(&db).await.unwrap();
    }
    let throttle = Throttle::new().progress(|progress| DONE.lock().unwrap().push(progress.done));
    let report = schema().worker(&db).throttle(throttle).run_once().await.unwrap();
    assert_eq!(report.recovered.sources, 2, "{report}");
    assert_eq!(DONE.lock().unwrap().first(), Some(&2));
    let shown = format!("{:?}", schema().worker(&db));
    assert!(shown.contains(db.name()) && !shown.contains("mongodb://"), "{shown}");
}
