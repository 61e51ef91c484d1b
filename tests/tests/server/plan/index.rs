//! A plan for changed indexes.

use mongodb::bson::doc;
use schema_runtime::{
    Error,
    apply::{ApplyOptions, Outcome},
    plan::{Change, Needs},
    prelude::*,
};
use schema_tests::{database, database_with_log};

use super::*;

/// Defines a model of the collection `things` with a single index.
macro_rules! thing {
    ($module:ident, #[$($index:tt)*]) => {
        mod $module {
            use super::*;
            #[derive(Model, Serialize, Deserialize)]
            #[model(collection = "things")]
            #[$($index)*]
            pub(super) struct Thing {
                #[serde(rename = "_id")]
                id: i64,
                seen: DateTime,
                name: String,
            }
        }
    };
}

thing!(plain, #[index(seen)]);
thing!(short, #[index(seen, ttl = "1h")]);
thing!(long, #[index(seen, ttl = "2d")]);
thing!(unique, #[index(seen, unique)]);
thing!(renamed, #[index(seen, name = "another_name")]);
thing!(partial, #[index(seen, partial(gt(name, "m")))]);
thing!(none, #[serde(deny_unknown_fields)]);

#[tokio::test]
async fn a_time_to_live_changes_in_place() {
    let (db, log) = database_with_log().await;
    applied(schema![plain::Thing], &db).await;
    for (schema, seconds) in [(schema![short::Thing], 3_600), (schema![long::Thing], 172_800)] {
        log.clear();
        let plan = planned(schema, &db).await;
        assert!(matches!(changes(&plan)[..], [Change::ChangeIndex { .. }]), "{plan}");
        plan.apply(&db).await.and_then(|report| report.complete()).expect("every step is done");
        assert_eq!(changing(&log), ["collMod"]);
        let has = listed(&db, "things").await[1].get("expireAfterSeconds").map(ToString::to_string);
        assert_eq!(has, Some(seconds.to_string()));
        is_settled(schema, &db).await;
    }
}

#[tokio::test]
async fn what_coll_mod_cannot_change_is_rebuilt_only_when_asked_to() {
    for (from, to, lost) in [
        (schema![short::Thing], schema![plain::Thing], "expireAfterSeconds"),
        (schema![unique::Thing], schema![plain::Thing], "unique"),
        (schema![partial::Thing], schema![plain::Thing], "partialFilterExpression"),
    ] {
        let (db, log) = database_with_log().await;
        applied(from, &db).await;
        let before = listed(&db, "things").await;
        log.clear();
        let plan = planned(to, &db).await;
        assert!(matches!(changes(&plan)[..], [Change::RebuildIndex { .. }]), "{plan}");
        let report = plan.apply(&db).await.expect("a report");
        assert!(matches!(report.entries()[0].outcome, Outcome::NotRequested(Needs::Rebuild)));
        assert_eq!(report.done().count(), 0);
        assert_eq!((listed(&db, "things").await, changing(&log).len()), (before, 0), "nothing was touched");

        let report = plan.apply_with(&db, ApplyOptions::new().rebuild(true)).await.expect("a report");
        assert_eq!(
            (report.done().count(), changing(&log)),
            (1, vec!["dropIndexes".to_owned(), "createIndexes".to_owned()])
        );
        assert!(!listed(&db, "things").await[1].contains_key(lost));
        is_settled(to, &db).await;
    }
}

#[tokio::test]
async fn an_index_becomes_unique_in_place_unless_there_are_duplicates() {
    let (db, log) = database_with_log().await;
    applied(schema![plain::Thing], &db).await;
    let things = raw(&db, "things");
    let thing = |id: i64, at: i64| doc! { "_id": id, "seen": DateTime::from_millis(at), "name": "" };
    things.insert_many([thing(1, 5), thing(2, 5), thing(3, 6)]).await.expect("valid");

    let schema = schema![unique::Thing];
    let plan = planned(schema, &db).await;
    let [Change::ChangeIndex { duplicates: Some(found), .. }] = changes(&plan)[..] else { panic!("{plan}") };
    assert_eq!((found.groups, &found.sample[..]), (1, &[doc! { "seen": DateTime::from_millis(5) }][..]));
    assert!(plan.to_string().contains("1 key is in several documents: the index cannot be unique"), "{plan}");
    let report = plan.apply(&db).await.expect("a report");
    let Outcome::Failed(Error::DuplicateKey { collection, index, .. }) = &report.entries()[0].outcome else {
        panic!("{report}")
    };
    assert_eq!((collection.as_str(), index.as_str()), ("things", "seen_1"));
    let index = &listed(&db, "things").await[1];
    assert!(!index.contains_key("unique") && !index.contains_key("prepareUnique"), "it is as it was: {index}");
    assert!(matches!(report.complete(), Err(Error::ApplyIncomplete { steps: 1, .. })));

    things.delete_one(doc! { "_id": 2 }).await.expect("deleted");
    log.clear();
    applied(schema, &db).await;
    assert_eq!(changing(&log), ["collMod", "collMod"]);
    is_settled(schema, &db).await;
    things.insert_one(thing(4, 6)).await.expect_err("it is unique now");
}

#[tokio::test]
async fn a_stopped_change_to_unique_is_finished_by_the_next_apply() {
    let db = database().await;
    applied(schema![plain::Thing], &db).await;
    db.run_command(doc! { "collMod": "things", "index": { "name": "seen_1", "prepareUnique": true } })
        .await
        .expect("done");
    applied(schema![unique::Thing], &db).await;
    is_settled(schema![unique::Thing], &db).await;
    let index = &listed(&db, "things").await[1];
    assert_eq!((index.get_bool("unique").ok(), index.contains_key("prepareUnique")), (Some(true), false));
}

#[tokio::test]
async fn another_name_is_no_change() {
    let db = database().await;
    applied(schema![plain::Thing], &db).await;
    is_settled(schema![renamed::Thing], &db).await;
    assert_eq!(names(&db, "things").await, ["seen_1"]);
}

#[tokio::test]
async fn an_index_that_nobody_asks_for_goes_only_when_asked_to() {
    let (db, log) = database_with_log().await;
    applied(schema![plain::Thing], &db).await;
    let things = raw(&db, "things");
    for keys in [doc! { "seen": -1, "name": 1 }, doc! { "name": "text" }, doc! { "$**": 1 }] {
        things.create_index(mongodb::IndexModel::builder().keys(keys).build()).await.expect("made");
    }
    log.clear();
    let schema = schema![plain::Thing];
    let plan = planned(schema, &db).await;
    assert!(plan.steps().iter().all(|step| step.needs() == Needs::DropUndeclared), "{plan}");
    assert_eq!((plan.steps().len(), plan.pending().count()), (3, 0));
    let report = plan.apply(&db).await.and_then(|report| report.complete()).expect("nothing was to be done");
    assert!(report.to_string().contains("not requested (`drop_undeclared`)"), "{report}");
    assert_eq!((names(&db, "things").await.len(), changing(&log).len()), (4, 0));

    plan.apply_with(&db, ApplyOptions::new().drop_undeclared(true)).await.expect("a report");
    assert_eq!(names(&db, "things").await, ["seen_1"]);
    assert_eq!(listed(&db, "things").await.len(), 2, "the index of `_id` is still there");
    is_settled(schema, &db).await;
}

#[tokio::test]
async fn a_rebuild_that_would_meet_duplicates_drops_nothing() {
    let db = database().await;
    applied(schema![partial::Thing], &db).await;
    let seen = DateTime::from_millis(5);
    for id in [1, 2] {
        raw(&db, "things").insert_one(doc! { "_id": id, "seen": seen, "name": "" }).await.expect("valid");
    }
    let plan = planned(schema![unique::Thing], &db).await;
    let [Change::RebuildIndex { duplicates: Some(found), .. }] = changes(&plan)[..] else { panic!("{plan}") };
    assert_eq!(found.groups, 1);
    let before = listed(&db, "things").await;
    let report = plan.apply_with(&db, ApplyOptions::new().rebuild(true)).await.expect("a report");
    assert!(matches!(&report.entries()[0].outcome, Outcome::Failed(Error::DuplicateKey { .. })), "{report}");
    assert_eq!(listed(&db, "things").await, before);
}

#[tokio::test]
async fn a_plan_that_is_out_of_date_changes_nothing() {
    let (db, log) = database_with_log().await;
    applied(schema![short::Thing], &db).await;
    let (change, drop) = (planned(schema![long::Thing], &db).await, planned(schema![none::Thing], &db).await);
    raw(&db, "things").drop_index("seen_1").await.expect("dropped");
    let keys = doc! { "name": 1 };
    let options = mongodb::options::IndexOptions::builder().name("seen_1".to_owned()).build();
    let other = mongodb::IndexModel::builder().keys(keys).options(options).build();
    raw(&db, "things").create_index(other).await.expect("made");
    log.clear();
    for plan in [change, drop] {
        let report = plan.apply_with(&db, ApplyOptions::new().drop_undeclared(true)).await.expect("a report");
        let Outcome::Failed(Error::PlanOutdated { what, .. }) = &report.entries()[0].outcome else {
            panic!("{report}")
        };
        assert_eq!(what, "the index `seen_1` has changed");
    }
    assert_eq!(changing(&log), Vec::<String>::new());
}
