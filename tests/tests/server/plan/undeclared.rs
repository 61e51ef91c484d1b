//! Indexes that no model declares: shown with the use by reads, hidden on request, and dropped on request.

use mongodb::bson::doc;
use schema_runtime::{
    apply::{ApplyOptions, Outcome},
    plan::{Needs, Note},
    prelude::*,
};
use schema_tests::{database, database_with_log, fail_command};

use super::*;

#[derive(Model, Serialize, Deserialize, Debug)]
#[model(collection = "things")]
struct Thing {
    #[serde(rename = "_id")]
    id: i64,
    #[index]
    seen: DateTime,
    name: String,
}

#[derive(Model, Serialize, Deserialize, Debug)]
#[model(collection = "readings", time_series(time = at, meta = sensor))]
struct Reading {
    #[serde(rename = "_id")]
    id: i64,
    at: DateTime,
    sensor: i32,
}

const HIDE: ApplyOptions = ApplyOptions::new().hide_undeclared(true);

/// Makes the declared indexes and further indexes.
async fn with(db: &Database, indexes: &[Document]) {
    applied(schema![Thing], db).await;
    db.run_command(doc! { "createIndexes": "things", "indexes": indexes.to_vec() }).await.expect("made");
}

async fn done(plan: &Plan, db: &Database, options: ApplyOptions) -> ApplyReport {
    plan.apply_with(db, options).await.and_then(|report| report.complete()).expect("every step is done")
}

fn hidden(listed: &[Document]) -> Vec<&str> {
    let hidden = listed.iter().filter(|index| index.get_bool("hidden").unwrap_or_default());
    hidden.filter_map(|index| index.get_str("name").ok()).collect()
}

#[tokio::test]
async fn an_undeclared_index_is_hidden_first_and_dropped_on_request() {
    let (db, log) = database_with_log().await;
    let indexes = [
        doc! { "key": { "name": 1 }, "name": "theirs", "unique": true },
        doc! { "key": { "name": "text" }, "name": "words" },
        doc! { "key": { "$**": 1 }, "name": "every" },
    ];
    with(&db, &indexes).await;
    log.clear();
    let plan = planned(schema![Thing], &db).await;
    assert!(plan.steps().iter().all(|step| step.needs() == Needs::DropUndeclared), "{plan}");
    let report = done(&plan, &db, HIDE).await;
    assert!(report.entries().iter().all(|entry| matches!(entry.outcome, Outcome::Hidden)), "{report}");
    assert!(report.to_string().starts_with("hidden: things: index "), "{report}");
    assert_eq!((report.done().count(), changing(&log)), (3, vec!["collMod".to_owned(); 3]));
    assert_eq!(hidden(&listed(&db, "things").await), ["theirs", "words", "every"]);

    // Neither the same plan nor the next plan hides an index again.
    log.clear();
    let report = done(&plan, &db, HIDE).await;
    assert!(report.entries().iter().all(|entry| matches!(entry.outcome, Outcome::AlreadyDone)), "{report}");
    let next = planned(schema![Thing], &db).await;
    let text = next.to_string();
    assert!(text.contains("index theirs {name: 1} unique, hidden, asked for by no model"), "{text}");
    assert!(text.contains("(only with `drop_undeclared`)\n"), "{text}");
    let report = done(&next, &db, HIDE).await;
    let left = |outcome: &Outcome| matches!(outcome, Outcome::NotRequested(Needs::DropUndeclared));
    assert!(report.entries().iter().all(|entry| left(&entry.outcome)), "{report}");
    assert_eq!(changing(&log), Vec::<String>::new());

    // A plan from before drops the hidden index too.
    done(&plan, &db, ApplyOptions::new().drop_undeclared(true)).await;
    assert_eq!(names(&db, "things").await, ["seen_1"]);
    is_settled(schema![Thing], &db).await;
}

/// With both options, each apply does one of the two steps of an index.
#[tokio::test]
async fn with_both_options_a_visible_index_is_hidden_and_a_hidden_index_is_dropped() {
    let (db, log) = database_with_log().await;
    let indexes =
        [doc! { "key": { "name": 1 }, "name": "old", "hidden": true }, doc! { "key": { "name": -1 }, "name": "new" }];
    with(&db, &indexes).await;
    log.clear();
    let plan = planned(schema![Thing], &db).await;
    done(&plan, &db, HIDE.drop_undeclared(true)).await;
    assert_eq!(
        (names(&db, "things").await, changing(&log)),
        (vec!["new".to_owned(), "seen_1".to_owned()], vec!["dropIndexes".to_owned(), "collMod".to_owned()])
    );
    done(&planned(schema![Thing], &db).await, &db, HIDE.drop_undeclared(true)).await;
    is_settled(schema![Thing], &db).await;
}

/// The plan says how many operations used the index, and asks only for collections with an undeclared index.
#[tokio::test]
async fn the_plan_shows_the_use_of_an_undeclared_index() {
    let (db, log) = database_with_log().await;
    applied(schema![Thing], &db).await;
    log.clear();
    is_settled(schema![Thing], &db).await;
    assert_eq!(log.named("aggregate").len(), 0);
    let indexes = [doc! { "key": { "name": 1 }, "name": "used" }, doc! { "key": { "name": -1 }, "name": "unused" }];
    with(&db, &indexes).await;
    raw(&db, "things").insert_one(doc! { "_id": 1_i64, "seen": DateTime::now(), "name": "a" }).await.expect("valid");
    let things = raw(&db, "things");
    for _ in 0..2 {
        let read = things.find_one(doc! { "name": "a" });
        read.hint(mongodb::options::Hint::Name("used".to_owned())).await.expect("read").expect("a document");
    }
    let plan = planned(schema![Thing], &db).await;
    let uses: Vec<(&str, u64)> = changes(&plan)
        .into_iter()
        .map(|change| match change {
            Change::DropIndex { index, used: Some(used) } => {
                assert!(used.since <= DateTime::now());
                (index.name.as_str(), used.operations)
            }
            _ => panic!("{plan}"),
        })
        .collect();
    assert_eq!(uses, [("used", 2), ("unused", 0)]);
    let text = plan.to_string();
    assert!(text.contains("2 operations used the index since 20"), "{text}");
    assert!(text.contains("no operation used the index since 20"), "{text}");
    assert!(text.contains("(only with `drop_undeclared`; `hide_undeclared` hides the index)"), "{text}");
}

/// A user without the privilege gets the plan with a note; any other error is the error of the plan.
#[tokio::test]
async fn without_the_privilege_the_use_is_a_note() {
    let db = database().await;
    with(&db, &[doc! { "key": { "name": 1 }, "name": "theirs" }]).await;
    let refused = doc! { "failCommands": ["aggregate"], "errorCode": 13 };
    let failure = fail_command(&db, "alwaysOn", refused).await;
    let plan = planned(schema![Thing], &db).await;
    failure.clear().await;
    assert!(matches!(changes(&plan)[..], [Change::DropIndex { used: None, .. }]), "{plan}");
    assert_eq!(plan.notes(), [Note::IndexUseUnknown { collection: "things".to_owned() }]);
    assert!(plan.to_string().contains("note: the user may not read the use of the indexes of things"), "{plan}");
    let broken = doc! { "failCommands": ["aggregate"], "errorCode": 8000 };
    let failure = fail_command(&db, "alwaysOn", broken).await;
    schema![Thing].plan(&db).await.expect_err("another error");
    failure.clear().await;
}

/// The index of a time series is hidden as any other index.
#[tokio::test]
async fn an_undeclared_index_of_a_time_series_is_hidden() {
    let db = database().await;
    applied(schema![Reading], &db).await;
    let index = doc! { "key": { "sensor": -1, "at": 1 }, "name": "theirs" };
    db.run_command(doc! { "createIndexes": "readings", "indexes": [index] }).await.expect("made");
    let plan = planned(schema![Reading], &db).await;
    assert!(matches!(changes(&plan)[..], [Change::DropIndex { used: Some(_), .. }]), "{plan}");
    done(&plan, &db, HIDE).await;
    assert_eq!(hidden(&listed(&db, "readings").await), ["theirs"]);
    let plan = planned(schema![Reading], &db).await;
    done(&plan, &db, HIDE.drop_undeclared(true)).await;
    is_settled(schema![Reading], &db).await;
}

/// A server of 6.3 or newer makes an index of the meta field and the time with each new time series. The index is no
/// undeclared index.
#[tokio::test]
async fn the_index_that_newer_servers_make_for_a_time_series_stays() {
    let db = database().await;
    applied(schema![Reading], &db).await;
    let index = doc! { "key": { "sensor": 1, "at": 1 }, "name": "sensor_1_at_1" };
    db.run_command(doc! { "createIndexes": "readings", "indexes": [index] }).await.expect("made");
    is_settled(schema![Reading], &db).await;
}

/// The command that hides an index fails, or loses the connection: the next apply hides the index.
#[tokio::test]
async fn a_stopped_hiding_is_finished_by_the_next_apply() {
    for data in [doc! { "errorCode": 13 }, doc! { "errorCode": 8000 }, doc! { "closeConnection": true }] {
        let db = database().await;
        let indexes = [doc! { "key": { "name": 1 }, "name": "a" }, doc! { "key": { "name": -1 }, "name": "b" }];
        with(&db, &indexes).await;
        let plan = planned(schema![Thing], &db).await;
        let mut failing = doc! { "failCommands": ["collMod"] };
        failing.extend(data);
        let failure = fail_command(&db, doc! { "skip": 1 }, failing).await;
        let report = plan.apply_with(&db, HIDE).await.expect("a report");
        failure.clear().await;
        assert_eq!((report.done().count(), report.failures().count()), (1, 1), "{report}");
        assert_eq!(hidden(&listed(&db, "things").await), ["a"]);
        done(&planned(schema![Thing], &db).await, &db, HIDE).await;
        assert_eq!(hidden(&listed(&db, "things").await), ["a", "b"]);
    }
}
