//! The time limit of an operation.

use std::time::{Duration, Instant};

use mongodb::{Client, bson::doc};
use schema_runtime::{Error, Limit, OperationOptions, prelude::*, set_default_timeout};
use schema_tests::{database, database_with_log, fail_command, server};

use super::{Part, part};

/// A time that no operation of these tests needs.
const LONG: Duration = Duration::from_secs(500);

fn over() -> OperationOptions {
    OperationOptions::new().deadline(Instant::now())
}

fn is_timed_out<T>(result: Result<T>) -> bool {
    matches!(result, Err(Error::TimedOut { limit: Limit::Operation }))
}

#[tokio::test]
async fn after_the_deadline_no_command_is_sent() {
    let (db, log) = database_with_log().await;
    Part::insert(&db, &part(1, "bolt")).await.unwrap();
    log.clear();
    let late = db.with(over());
    assert!(is_timed_out(Part::find(Filter::all()).fetch_all(&late).await));
    assert!(is_timed_out(Part::find(Filter::all()).count(&late).await));
    assert!(is_timed_out(Part::find(Filter::all()).distinct(&late, Part::F.qty).await));
    assert!(is_timed_out(Part::find(Filter::all()).options(&over()).fetch_all(&db).await));
    assert!(is_timed_out(Part::insert(&late, &part(2, "nut")).await));
    assert!(is_timed_out(Part::update_by_id(1).inc(Part::F.qty, 1).execute(&late).await));
    assert!(is_timed_out(Part::update_many(Filter::all()).inc(Part::F.qty, 1).options(&over()).execute(&db).await));
    assert!(is_timed_out(Part::replace(&late, &part(1, "nut")).await));
    assert!(is_timed_out(Part::delete_by_id(&late, 1).await));
    assert!(log.commands().is_empty());
    assert_eq!(Part::get_by_id(&db, 1).await.unwrap(), part(1, "bolt"));
}

#[tokio::test]
async fn the_commands_of_an_operation_have_the_time_that_is_left() {
    let (db, log) = database_with_log().await;
    Part::insert(&db, &part(1, "bolt")).await.unwrap();
    let configured = db.with(OperationOptions::new().timeout(LONG));
    Part::find(Filter::all()).fetch_all(&configured).await.unwrap();
    Part::find(Filter::all()).timeout(LONG / 2).max_time(LONG).fetch_all(&configured).await.unwrap();
    Part::find(Filter::all()).max_time(LONG / 2).fetch_all(&configured).await.unwrap();
    let times: Vec<i64> = log.named("find").iter().map(|find| i64::from(find.get_i32("maxTimeMS").unwrap())).collect();
    let long = LONG.as_millis() as i64;
    assert!(long / 2 < times[0] && times[0] <= long, "{times:?}");
    assert!(long / 4 < times[1] && times[1] <= long / 2, "{times:?}");
    assert_eq!(times[2], long / 2);
}

#[tokio::test]
async fn the_server_ends_a_long_read() {
    let db = database().await;
    Part::insert(&db, &part(1, "bolt")).await.unwrap();
    // The server works until the limit.
    let slow = Filter::raw(doc! { "$where": "function() { while (true) {} }" });
    let read = Part::find(slow.clone()).max_time(Duration::from_millis(50)).fetch_all(&db).await;
    assert!(is_timed_out(read));
    let read = Part::find(slow).timeout(Duration::from_millis(50)).fetch_all(&db).await;
    assert!(is_timed_out(read));
}

#[tokio::test]
async fn a_wait_for_an_answer_ends_with_the_time() {
    let db = database().await;
    Part::insert(&db, &part(1, "bolt")).await.unwrap();
    let blocked = doc! { "failCommands": ["find"], "blockConnection": true, "blockTimeMS": 3_000 };
    let failure = fail_command(&db, doc! { "times": 1 }, blocked).await;
    assert!(is_timed_out(Part::find(Filter::all()).timeout(Duration::from_millis(50)).fetch_all(&db).await));
    failure.clear().await;
}

#[tokio::test]
async fn one_call_sets_the_default() {
    let (db, log) = database_with_log().await;
    let own_client = Client::with_uri_str(server().await.uri()).await.unwrap().database(db.name());
    for (db, is_logged) in [(&db, true), (&own_client, false)] {
        set_default_timeout(db, Some(Duration::from_millis(1))).await.unwrap();
        // A millisecond is less than the time of a command on the server and the way there.
        let slow = || Part::find(Filter::raw(doc! { "$where": "function() { while (true) {} }" }));
        Part::insert(&db.with(OperationOptions::new().timeout(LONG)), &part(i64::from(is_logged), "bolt"))
            .await
            .unwrap();
        assert!(is_timed_out(slow().fetch_all(db).await));
        assert!(is_timed_out(slow().fetch_all(&db.clone()).await));
        assert_eq!(Part::find(Filter::all()).timeout(LONG).count(db).await.unwrap(), if is_logged { 1 } else { 2 });
        // The maintenance of a schema has no default limit.
        let _report = schema![Part].verify(db).await.unwrap();
        set_default_timeout(db, None).await.unwrap();
        Part::find(Filter::all()).fetch_all(db).await.unwrap();
    }
    assert!(!log.named("find").last().unwrap().contains_key("maxTimeMS"));
}
