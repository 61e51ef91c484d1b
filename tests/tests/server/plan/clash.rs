//! A database that conflicts with the definitions: the plan reports the conflict, and changes nothing without an
//! option.

use mongodb::bson::doc;
use schema_runtime::{
    apply::{ApplyOptions, Outcome},
    plan::{Change, Clash, Needs},
    prelude::*,
};
use schema_tests::{database, database_with_log};

use super::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "things")]
struct Thing {
    #[serde(rename = "_id")]
    id: i64,
    #[index(name = "by_name")]
    name: String,
    #[index(name = "by_qty")]
    qty: i32,
}

async fn make(db: &Database, keys: Document, more: Document) {
    let mut index = doc! { "key": keys };
    index.extend(more);
    db.run_command(doc! { "createIndexes": "things", "indexes": [index] }).await.expect("the index");
}

#[tokio::test]
async fn a_name_that_another_index_has_is_reported_and_nothing_is_touched() {
    let (db, log) = database_with_log().await;
    make(&db, doc! { "color": 1 }, doc! { "name": "by_name" }).await;
    log.clear();
    let plan = planned(schema![Thing], &db).await;
    let taken = plan.steps().iter().find(|step| matches!(step.change, Change::IndexNameTaken { declared: false, .. }));
    assert_eq!(taken.expect("it is reported").needs(), Needs::DropUndeclared);
    assert!(plan.to_string().contains("! the index name by_name belongs to an index that no model asks for"), "{plan}");

    let report = plan.apply(&db).await.expect("a report");
    assert_eq!((report.failures().count(), report.undone().count()), (0, 1), "{report}");
    report.complete().expect_err("a declared index is missing");
    assert_eq!(changing(&log), ["collMod", "createIndexes"]);
    let found = listed(&db, "things").await;
    assert!(found.iter().any(|index| index.get_document("key").ok() == Some(&doc! { "color": 1 })), "{found:?}");
    assert_eq!(names(&db, "things").await, ["by_name", "by_qty"]);

    let options = ApplyOptions::new().drop_undeclared(true);
    planned(schema![Thing], &db).await.apply_with(&db, options).await.expect("a report");
    is_settled(schema![Thing], &db).await;
}

#[tokio::test]
async fn a_name_that_another_declared_index_has_needs_a_decision() {
    let db = database().await;
    applied(schema![Thing], &db).await;
    for name in ["by_name", "by_qty"] {
        raw(&db, "things").drop_index(name).await.expect("dropped");
    }
    make(&db, doc! { "qty": 1 }, doc! { "name": "by_name" }).await;
    let plan = planned(schema![Thing], &db).await;
    assert!(matches!(changes(&plan)[..], [Change::IndexNameTaken { declared: true, .. }]), "{plan}");
    let all = ApplyOptions::new().drop_undeclared(true).rebuild(true).replace_validators(true);
    let report = plan.apply_with(&db, all).await.expect("a report");
    assert!(matches!(report.entries()[0].outcome, Outcome::NotRequested(Needs::Decision)), "{report}");
    assert_eq!(names(&db, "things").await, ["by_name"]);
}

#[tokio::test]
async fn views_time_series_and_capped_collections_are_left_alone() {
    for (options, clash) in [
        (doc! { "viewOn": "others", "pipeline": [] }, Clash::View),
        (doc! { "timeseries": { "timeField": "at" } }, Clash::TimeSeries),
        (doc! { "capped": true, "size": 4096 }, Clash::Capped),
    ] {
        let (db, log) = database_with_log().await;
        let mut create = doc! { "create": "things" };
        create.extend(options);
        db.run_command(create).await.expect("made");
        log.clear();
        let plan = planned(schema![Thing], &db).await;
        assert_eq!(changes(&plan), [&Change::CollectionClash { clash }]);
        let all = ApplyOptions::new().drop_undeclared(true).rebuild(true).replace_validators(true);
        let report = plan.apply_with(&db, all).await.expect("a report");
        assert_eq!(report.failures().count(), 0, "{report}");
        report.complete().expect_err("the collection does not match the model");
        assert_eq!(changing(&log), Vec::<String>::new());
    }
}

#[tokio::test]
async fn a_collation_of_the_collection_is_inherited_and_others_are_not_ours() {
    let db = database().await;
    let french = doc! { "locale": "fr", "strength": 2 };
    db.run_command(doc! { "create": "things", "collation": french }).await.expect("made");
    applied(schema![Thing], &db).await;
    is_settled(schema![Thing], &db).await;
    make(&db, doc! { "name": 1 }, doc! { "name": "simple", "collation": { "locale": "simple" } }).await;
    make(&db, doc! { "qty": 1 }, doc! { "name": "english", "collation": { "locale": "en" } }).await;
    let plan = planned(schema![Thing], &db).await;
    assert!(matches!(changes(&plan)[..], [Change::DropIndex { .. }, Change::DropIndex { .. }]), "{plan}");
}

#[tokio::test]
async fn clustered_collections_and_hidden_indexes_do_not_confuse() {
    let db = database().await;
    let clustered = doc! { "key": { "_id": 1 }, "unique": true, "name": "mine" };
    db.run_command(doc! { "create": "things", "clusteredIndex": clustered }).await.expect("made");
    applied(schema![Thing], &db).await;
    is_settled(schema![Thing], &db).await;
    db.run_command(doc! { "collMod": "things", "index": { "name": "by_qty", "hidden": true } }).await.expect("hidden");
    let plan = planned(schema![Thing], &db).await;
    assert!(
        matches!(changes(&plan)[..], [Change::ChangeIndex { old, new, .. }] if old.hidden && !new.hidden),
        "{plan}"
    );
}

/// Copies and rollups ask the server if a value has changed, and a collation gives another answer.
#[tokio::test]
async fn a_collation_under_copies_needs_a_decision() {
    let db = database().await;
    for collection in ["labels", "boxes"] {
        db.run_command(doc! { "create": collection, "collation": { "locale": "en", "strength": 1 } })
            .await
            .expect("made");
    }
    let plan = planned(schema![Label, Crate], &db).await;
    let clash = |change: &&Change| matches!(change, Change::CollectionClash { clash: Clash::Collation });
    assert_eq!((changes(&plan).len(), changes(&plan).iter().filter(|change| clash(change)).count()), (2, 2), "{plan}");
    assert_eq!(plan.steps()[0].needs(), Needs::Decision);
    assert!(plan.to_string().contains("a collection with another collation"), "{plan}");
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "labels")]
struct Label {
    #[serde(rename = "_id")]
    id: i64,
    #[copied_to(Crate::text, fan_out = 10)]
    text: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "boxes")]
struct Crate {
    #[serde(rename = "_id")]
    id: i64,
    label: Ref<Label>,
    #[denormalize(from = label.text)]
    text: String,
}
