//! A collection of another kind: the plan names the kind and the remedy, and changes nothing.

use mongodb::bson::doc;
use schema_runtime::{
    Error,
    apply::{ApplyOptions, Outcome},
    plan::{Change, Clash, Needs},
    prelude::*,
};
use schema_tests::{database, database_with_log};

use super::*;

mod wanted {
    use super::*;
    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "things")]
    pub(super) struct Plain {
        #[serde(rename = "_id")]
        id: i64,
        at: DateTime,
    }
    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "things", capped(size = "1MiB"))]
    pub(super) struct Capped {
        #[serde(rename = "_id")]
        id: i64,
        at: DateTime,
    }
    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "things", clustered)]
    pub(super) struct Clustered {
        #[serde(rename = "_id")]
        id: i64,
        at: DateTime,
    }
    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "things", time_series(time = at))]
    pub(super) struct Series {
        #[serde(rename = "_id")]
        id: i64,
        at: DateTime,
    }
    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "things", view(of = Other))]
    pub(super) struct View {
        #[serde(rename = "_id")]
        id: i64,
        at: DateTime,
    }
    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "others")]
    pub(super) struct Other {
        #[serde(rename = "_id")]
        id: i64,
        at: DateTime,
    }
}
use wanted::{Capped, Clustered, Plain, Series, View};

/// Each kind of collection on the server, beside each kind of model. A plain collection becomes capped, and a plain
/// model uses a clustered collection.
#[tokio::test]
async fn each_kind_under_each_other_kind() {
    let kinds = [
        (doc! {}, Clash::Plain),
        (doc! { "capped": true, "size": 1_048_576 }, Clash::Capped),
        (doc! { "clusteredIndex": { "key": { "_id": 1 }, "unique": true } }, Clash::Clustered),
        (doc! { "timeseries": { "timeField": "at" } }, Clash::TimeSeries),
        (doc! { "viewOn": "others", "pipeline": [{ "$project": { "_id": 1, "at": 1 } }] }, Clash::View),
    ];
    let models = [schema![Plain], schema![Capped], schema![Clustered], schema![Series], schema![View]];
    let (db, log) = database_with_log().await;
    for (at, (options, clash)) in kinds.into_iter().enumerate() {
        let mut create = doc! { "create": "things" };
        create.extend(options);
        db.run_command(create).await.expect("made");
        for (wanted, schema) in models.into_iter().enumerate() {
            let plan = planned(schema, &db).await;
            let found = steps(&plan).contains(&&Change::CollectionClash { clash });
            let fits = at == wanted || (at, wanted) == (0, 1) || (at, wanted) == (2, 0);
            assert_eq!(found, !fits, "{clash:?} under {wanted}: {plan}");
            if found {
                assert_eq!((plan.steps().len(), plan.steps()[0].needs()), (1, Needs::Decision));
                let remedy = if clash == Clash::View { "drop the view" } else { "no command changes this" };
                assert!(plan.to_string().contains(remedy), "{plan}");
                log.clear();
                let all = ApplyOptions::new().drop_undeclared(true).rebuild(true).shrink(true).convert(true);
                let report = plan.apply_with(&db, all).await.expect("a report");
                assert!(matches!(report.entries()[0].outcome, Outcome::NotRequested(Needs::Decision)), "{report}");
                assert!(["create", "collMod", "convertToCapped", "drop"].iter().all(|name| log.named(name).is_empty()));
                schema.create(&db).await.expect("the collection exists");
            }
        }
        db.run_command(doc! { "drop": "things" }).await.expect("dropped");
    }
}

/// The server explains no read of a view with another collation.
#[tokio::test]
async fn a_view_under_a_model_with_a_collation() {
    mod collated {
        use super::*;

        #[derive(Model, Serialize, Deserialize)]
        #[model(collection = "things")]
        #[index(name, case_insensitive)]
        pub(super) struct Thing {
            #[serde(rename = "_id")]
            id: i64,
            name: String,
        }
    }
    let db = database().await;
    db.run_command(doc! { "create": "things", "viewOn": "others", "pipeline": [] }).await.expect("made");
    let plan = planned(schema![collated::Thing], &db).await;
    assert_eq!(steps(&plan), [&Change::CollectionClash { clash: Clash::View }], "{plan}");
}

/// A collection that changes its kind between the plan and the apply.
#[tokio::test]
async fn a_plan_of_another_kind_is_outdated() {
    let db = database().await;
    let plan = planned(schema![Series], &db).await;
    db.run_command(doc! { "create": "things" }).await.expect("made");
    let report = plan.apply(&db).await.expect("a report");
    let outdated = |outcome: &Outcome| matches!(outcome, Outcome::Failed(Error::PlanOutdated { .. }));
    assert!(outdated(&report.entries()[0].outcome), "{report}");

    let plan = planned(schema![Plain], &db).await;
    db.run_command(doc! { "drop": "things" }).await.expect("dropped");
    db.run_command(doc! { "create": "things", "capped": true, "size": 4096 }).await.expect("made");
    let report = plan.apply(&db).await.expect("a report");
    assert!(outdated(&report.entries()[0].outcome), "{report}");
}

/// A name of the server's own is no undeclared collection.
#[tokio::test]
async fn the_collections_of_the_server_are_never_shown() {
    let db = database().await;
    let schema = schema![Series];
    schema.create(&db).await.expect("made");
    db.run_command(doc! { "create": "seen", "viewOn": "things", "pipeline": [] }).await.expect("made");
    let (plan, review) = (planned(schema, &db).await, schema.review_on(&db).await.expect("reviewed"));
    assert!(plan.is_empty() && !plan.to_string().contains("system."), "{plan}");
    assert!(!review.to_string().contains("system."), "{review}");
}
