//! The plan of a view of groups.

use mongodb::bson::{Bson, doc};
use schema_runtime::{Throttle, plan::Needs};
use schema_tests::database_with_log;

use super::{models::*, *};

/// A stored pipeline with another order of keys, other stages or other values is changed in place.
#[tokio::test]
async fn a_changed_pipeline_is_changed_in_place() {
    let (db, log) = database_with_log().await;
    applied(SCHEMA, &db).await;
    let stored = options(&db, "sales").await.get_array("pipeline").expect("a pipeline").clone();
    let stage = |name: &str| {
        let found = stored.iter().position(|stage| stage.as_document().is_some_and(|stage| stage.contains_key(name)));
        found.expect("a stage")
    };
    assert_eq!((stage("$match"), stage("$group")), (0, 1), "the filter is the first stage");
    let with = |at: usize, change: &dyn Fn(&mut Document)| {
        let mut pipeline = stored.clone();
        let name = pipeline[at].as_document().expect("a stage").keys().next().expect("a name").clone();
        change(pipeline[at].as_document_mut().expect("a stage").get_document_mut(&name).expect("a document"));
        pipeline
    };
    let reversed = |operand: &mut Document| {
        *operand = operand.clone().into_iter().collect::<Vec<_>>().into_iter().rev().collect();
    };
    let mut without_filter = stored.clone();
    without_filter.remove(0);
    let pipelines: Vec<Vec<Bson>> = vec![
        without_filter,
        with(0, &|filter| *filter = doc! { "total": { "$gt": 1_i64 } }),
        with(stage("$group"), &reversed),
        with(stored.len() - 1, &reversed),
        Vec::new(),
    ];
    for pipeline in pipelines {
        db.run_command(doc! { "collMod": "sales", "viewOn": "orders", "pipeline": pipeline.clone() })
            .await
            .expect("set");
        let plan = planned(SCHEMA, &db).await;
        assert_eq!(plan.steps().len(), 1, "{pipeline:?}: {plan}");
        assert_eq!(plan.steps()[0].needs(), Needs::Nothing);
        log.clear();
        plan.apply(&db).await.and_then(|report| report.complete()).expect("done");
        assert_eq!(log.named("collMod").len(), 1);
        is_settled(SCHEMA, &db).await;
    }
}

/// A view of documents becomes a view of groups under the same name, and back.
#[tokio::test]
async fn documents_become_groups() {
    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "sales", view(of = Order))]
    struct Earlier {
        #[serde(rename = "_id")]
        id: i64,
        total: i64,
    }
    let db = stored().await;
    for schema in [schema![Earlier, Order, Customer], SCHEMA] {
        let plan = planned(schema, &db).await;
        assert_eq!(plan.steps().len(), 1, "{plan}");
        plan.apply(&db).await.and_then(|report| report.complete()).expect("done");
        is_settled(schema, &db).await;
    }
    assert_eq!(Sales::find(Filter::all()).count(&db).await.expect("counted"), 3);
}

#[tokio::test]
async fn the_other_functions_of_a_schema_take_views_of_groups() {
    let db = stored().await;
    let report = SCHEMA.verify(&db).await.expect("read");
    // The two best orders of a month fill the array of the view, and a view has no stored documents.
    assert!(report.is_clean(), "{report:?}");
    SCHEMA.review_on(&db).await.expect("reviewed");
    SCHEMA.recover(&db, &Throttle::new()).await.expect("recovered");
    SCHEMA.repair(&db, &Throttle::new()).await.expect("repaired");
    is_settled(SCHEMA, &db).await;
}
