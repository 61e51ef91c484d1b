//! The next apply finishes an interrupted apply.

// Two indexes may have a field in common.
#![allow(clippy::duplicated_attributes)]

use std::time::Duration;

use mongodb::bson::doc;
use schema_runtime::{
    apply::{ApplyOptions, Outcome},
    prelude::*,
};
use schema_tests::{database, fail_command};

use super::*;

mod before {
    use super::*;
    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "things")]
    #[index(seen, ttl = "1h")]
    #[index(name)]
    #[index(qty, unique)]
    pub(super) struct Thing {
        #[serde(rename = "_id")]
        id: i64,
        seen: DateTime,
        name: String,
        qty: i32,
    }
}

mod after {
    use super::*;
    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "things")]
    #[index(seen, ttl = "2h")]
    #[index(name, unique)]
    #[index(qty)]
    #[index(name, qty)]
    pub(super) struct Thing {
        #[serde(rename = "_id")]
        id: i64,
        seen: DateTime,
        #[bound(max_len = 9)]
        name: String,
        qty: i32,
    }
    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "others")]
    pub(super) struct Other {
        #[serde(rename = "_id")]
        id: i64,
        #[index]
        name: String,
    }
}

/// The number of commands of the changes from `before` to `after`: collMod of the validator, collMod of the TTL, two
/// commands to make an index unique, drop and create for the rebuild, a new index; a collection and its index.
const COMMANDS: i32 = 9;

const ALL: ApplyOptions = ApplyOptions::new().rebuild(true).drop_undeclared(true);

#[tokio::test]
async fn from_an_error_at_any_command_the_next_apply_finishes() {
    for done in 0..=COMMANDS {
        let db = database().await;
        applied(schema![before::Thing], &db).await;
        let schema = schema![after::Thing, after::Other];
        let plan = planned(schema, &db).await;
        let failure =
            fail_command(&db, doc! { "skip": done }, doc! { "failCommands": &CHANGING[..], "errorCode": 11601 }).await;
        let report = plan.apply_with(&db, ALL).await.expect("a report");
        failure.clear().await;
        assert_eq!(report.failures().count() > 0, done < COMMANDS, "after {done}: {report}");

        let rest = planned(schema, &db).await.apply_with(&db, ALL).await.expect("a report");
        rest.complete().unwrap_or_else(|error| panic!("after {done}: {error}"));
        is_settled(schema, &db).await;
    }
}

#[tokio::test]
async fn from_a_lost_connection_at_any_command_the_next_apply_finishes() {
    for done in 0..COMMANDS {
        let db = database().await;
        applied(schema![before::Thing], &db).await;
        let schema = schema![after::Thing, after::Other];
        let plan = planned(schema, &db).await;
        let lost = doc! { "failCommands": &CHANGING[..], "closeConnection": true };
        let failure = fail_command(&db, doc! { "skip": done }, lost).await;
        let report = plan.apply_with(&db, ALL).await.expect("a report");
        failure.clear().await;
        let mut outcomes = report.entries().iter().map(|entry| &entry.outcome);
        assert!(outcomes.any(|outcome| matches!(outcome, Outcome::Failed(_))), "after {done}: {report}");
        assert!(outcomes.all(|outcome| matches!(outcome, Outcome::NotReached)), "after {done}: {report}");

        let rest = planned(schema, &db).await.apply_with(&db, ALL).await.expect("a report");
        rest.complete().unwrap_or_else(|error| panic!("after {done}: {error}"));
        is_settled(schema, &db).await;
    }
}

#[tokio::test]
async fn an_apply_that_is_dropped_half_way_is_finished_by_the_next() {
    let db = database().await;
    applied(schema![before::Thing], &db).await;
    let schema = schema![after::Thing, after::Other];
    let plan = planned(schema, &db).await;
    let slow = doc! { "failCommands": &CHANGING[..], "blockConnection": true, "blockTimeMS": 100 };
    let failure = fail_command(&db, "alwaysOn", slow).await;
    let task = tokio::spawn({
        let db = db.clone();
        async move { plan.apply_with(&db, ALL).await.map(|_| ()) }
    });
    tokio::time::sleep(Duration::from_millis(350)).await;
    task.abort();
    assert!(task.await.expect_err("it was still at it").is_cancelled());
    failure.clear().await;
    let rest = planned(schema, &db).await.apply_with(&db, ALL).await.expect("a report");
    assert!(rest.done().count() > 0, "{rest}");
    rest.complete().expect("every step is done");
    is_settled(schema, &db).await;
}
