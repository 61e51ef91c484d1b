//! A command of a step that fails: the report names the step, and the next plan finishes the work.

use mongodb::bson::doc;
use schema_runtime::{
    apply::{ApplyOptions, Outcome},
    prelude::*,
};
use schema_tests::{database, fail_command};

use super::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "events", capped(size = "1MiB", max = 10), pre_and_post_images)]
#[index(number)]
#[index(name)]
struct Event {
    #[serde(rename = "_id")]
    id: i64,
    number: i64,
    name: String,
}

async fn made(db: &Database) {
    db.run_command(doc! { "create": "events" }).await.expect("made");
    let indexes = ["number", "name"].map(|name| doc! { "key": { name: 1 }, "name": format!("{name}_1") });
    db.run_command(doc! { "createIndexes": "events", "indexes": indexes.to_vec() }).await.expect("made");
}

/// Each command of the conversion is refused, and each command loses its connection.
#[tokio::test]
async fn a_conversion_that_stops_anywhere_is_finished_by_the_next_plan() {
    let data = [doc! { "errorCode": 13 }, doc! { "errorCode": 8 }, doc! { "closeConnection": true }];
    for data in data {
        for (command, skip) in
            [("convertToCapped", 0), ("collMod", 0), ("collMod", 1), ("createIndexes", 0), ("createIndexes", 1)]
        {
            let db = database().await;
            made(&db).await;
            let plan = planned(schema![Event], &db).await;
            let mut failing = doc! { "failCommands": [command] };
            failing.extend(data.clone());
            let failure = fail_command(&db, doc! { "skip": skip }, failing).await;
            let options = ApplyOptions::new().convert(true).stop_on_error(true);
            let report = plan.apply_with(&db, options).await.expect("a report");
            failure.clear().await;
            assert!(report.failures().next().is_some(), "{command} {skip} {data}: {report}");
            forced(schema![Event], &db).await;
            is_settled(schema![Event], &db).await;
            assert_eq!(names(&db, "events").await, ["_id_", "name_1", "number_1"]);
            assert!(super::options(&db, "events").await.get_bool("capped").expect("capped"));
        }
    }
}

/// The commands that shrink are refused, or lose the connection: the next plan has the remaining steps.
#[tokio::test]
async fn a_shrink_that_stops_anywhere_is_finished_by_the_next_plan() {
    for data in [doc! { "errorCode": 13 }, doc! { "errorCode": 8 }, doc! { "closeConnection": true }] {
        for skip in 0..2 {
            let db = database().await;
            let create = doc! { "create": "events", "capped": true, "size": 2 << 20, "max": 20,
            "changeStreamPreAndPostImages": { "enabled": true } };
            db.run_command(create).await.expect("made");
            let mut failing = doc! { "failCommands": ["collMod"] };
            failing.extend(data.clone());
            let plan = planned(schema![Event], &db).await;
            let failure = fail_command(&db, doc! { "skip": skip }, failing).await;
            let options = ApplyOptions::new().shrink(true).stop_on_error(true);
            let report = plan.apply_with(&db, options).await.expect("a report");
            failure.clear().await;
            assert!(report.failures().next().is_some(), "{skip} {data}: {report}");
            forced(schema![Event], &db).await;
            is_settled(schema![Event], &db).await;
            let options = super::options(&db, "events").await;
            let numbers = ["size", "max"].map(|word| options.get(word).expect("a limit").to_string());
            assert_eq!(numbers, ["1048576", "10"]);
        }
    }
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "readings", time_series(time = at, granularity = hours, ttl = "9000d"))]
struct Reading {
    #[serde(rename = "_id")]
    id: i64,
    at: DateTime,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "seen", view(of = Event))]
struct Seen {
    #[serde(rename = "_id")]
    id: i64,
}

/// Without the right to change a collection, the step is denied and the further steps go on.
#[tokio::test]
async fn a_denied_change_does_not_stop_the_others() {
    let db = database().await;
    db.run_command(doc! { "create": "readings", "timeseries": { "timeField": "at" } }).await.expect("made");
    db.run_command(doc! { "create": "seen", "viewOn": "others", "pipeline": [] }).await.expect("made");
    let schema = schema![Reading, Seen, Event];
    let plan = planned(schema, &db).await;
    let refused = doc! { "failCommands": ["collMod"], "errorCode": 13 };
    let failure = fail_command(&db, "alwaysOn", refused).await;
    let report = plan.apply(&db).await.expect("a report");
    failure.clear().await;
    let denied = |outcome: &Outcome| matches!(outcome, Outcome::Denied { action: "collMod" });
    assert_eq!(report.entries().iter().filter(|entry| denied(&entry.outcome)).count(), 3, "{report}");
    assert_eq!(names(&db, "events").await, ["_id_", "name_1", "number_1"]);
    applied(schema, &db).await;
    is_settled(schema, &db).await;
}
