//! For all definitions: the server accepts the commands of apply, and the next plan is empty.

use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::{
    collection::vec,
    prelude::*,
    test_runner::{Config, TestRunner},
};
use schema_runtime::{Schema, apply::ApplyOptions, definition::CollectionOptions, plan::Needs};
use schema_tests::{database, scale::PROPERTY_CASES};

use super::*;
use crate::random_indexes::{any_index, model};

fn schema() -> impl Strategy<Value = Schema> {
    vec(any_index(), 0..6)
        .prop_map(|indexes| Schema::new(Box::leak(Box::new([model(CollectionOptions::DEFAULT, indexes)]))))
}

#[test]
fn what_was_applied_is_recognised_and_leads_to_what_comes_next() {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
    let mut runner =
        TestRunner::new(Config { cases: PROPERTY_CASES.of(60), failure_persistence: None, ..Config::default() });
    let plans = AtomicUsize::new(0);
    let result = runner.run(&(schema(), schema()), |(first, second)| {
        runtime.block_on(async {
            let db = database().await;
            let options = ApplyOptions::new().rebuild(true).drop_undeclared(true);
            for schema in [first, second] {
                // Two indexes with the same name are refused before any command is sent. The tests without a server
                // check the refusal.
                let Ok(plan) = schema.plan(&db).await else { continue };
                plans.fetch_add(1, Ordering::Relaxed);
                let report = plan.apply_with(&db, options).await.expect("a report");
                let report = report.complete().map_err(|error| TestCaseError::fail(format!("{plan}\n{error}")))?;
                let again = planned(schema, &db).await;
                let decided = |plan: &Plan| plan.steps().iter().filter(|step| step.needs() == Needs::Decision).count();
                prop_assert_eq!(again.steps().len(), decided(&plan), "{}\n{}\n{}", plan, report, again);
            }
            db.drop().await.expect("dropped");
            Ok(())
        })
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    assert!(plans.into_inner() > PROPERTY_CASES.of(60) as usize, "most definitions agree with themselves");
}
