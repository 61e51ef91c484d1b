//! Random collections of each kind with random indexes: a server makes the collections that the rules accept, refuses
//! the collections that the rules refuse because of the server, and has nothing left to change after an apply. A test
//! of the derive compares the same verdicts with the rules.

mod attributes;
mod cases;
mod definition;
mod verdict;

use proptest::{
    prelude::*,
    test_runner::{Config, TestRng, TestRunner},
};
use schema_runtime::{apply::ApplyOptions, plan::Needs};
use schema_tests::{
    database,
    scale::{COLLECTIONS, PLANNED_COLLECTIONS},
};
use tokio::runtime::Runtime;

use self::{
    cases::{Things, accepted, accepted_pair, things},
    definition::{SOURCE, Thing, create, definition, indexes, thing},
    verdict::Refusal,
};
use super::*;

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime")
}

fn run<S: Strategy>(cases: u32, strategy: &S, mut test: impl FnMut(S::Value) -> Result<(), TestCaseError>) {
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 400, ..Config::default() };
    let test = std::cell::RefCell::new(&mut test);
    let rng = TestRng::deterministic_rng(config.rng_algorithm);
    let result = TestRunner::new_with_rng(config, rng).run(strategy, |value| (*test.borrow_mut())(value));
    result.unwrap_or_else(|error| panic!("{error}"));
}

/// Makes the collection without the rules and without a plan.
async fn made(db: &Database, things: &Things) -> mongodb::error::Result<()> {
    db.collection::<Document>("things").drop().await?;
    let mut command = doc! { "create": "things" };
    command.extend(create(things));
    db.run_command(command).await?;
    let indexes = indexes(things);
    if !indexes.is_empty() {
        db.run_command(doc! { "createIndexes": "things", "indexes": indexes }).await?;
    }
    Ok(())
}

#[test]
fn the_server_refuses_the_collections_that_the_rules_refuse() {
    let runtime = runtime();
    let db = runtime.block_on(database());
    let mut counts = [0; 3];
    run(COLLECTIONS.now(), &things(), |things| {
        let refusal = verdict::of(&things);
        let made = runtime.block_on(made(&db, &things));
        match refusal {
            Some(Refusal::Server(why)) => prop_assert!(made.is_err(), "{why}: {}", things.source()),
            None => prop_assert!(made.is_ok(), "{made:?}: {}", things.source()),
            Some(Refusal::Rules(_)) => {}
        }
        counts[match refusal {
            Some(Refusal::Server(_)) => 0,
            Some(Refusal::Rules(_)) => 1,
            None => 2,
        }] += 1;
        Ok(())
    });
    runtime.block_on(async { db.drop().await }).expect("dropped");
    println!("{} refused by the server, {} by the rules alone, {} accepted", counts[0], counts[1], counts[2]);
    assert!(counts.iter().all(|count| *count > COLLECTIONS.now() as usize / 40), "{counts:?}");
}

fn schema(things: &Things) -> Schema {
    Schema::new(Box::leak(Box::new([SOURCE, definition(things)])))
}

/// Plans, applies with each option, and plans again: the decisions of the first plan are left.
async fn settle(db: &Database, things: &Things) -> Result<usize, TestCaseError> {
    let failed = |error: schema_runtime::Error| TestCaseError::fail(format!("{error}: {}", things.source()));
    let schema = schema(things);
    let plan = schema.plan(db).await.map_err(failed)?;
    let options = ApplyOptions::new().rebuild(true).drop_undeclared(true).shrink(true).convert(true);
    let report = plan.apply_with(db, options.replace_validators(true)).await.map_err(failed)?;
    prop_assert_eq!(report.failures().count(), 0, "{}\n{}", plan, report);
    let decided = |plan: &Plan| plan.steps().iter().filter(|step| step.needs() == Needs::Decision).count();
    let again = schema.plan(db).await.map_err(failed)?;
    prop_assert_eq!(again.steps().len(), decided(&plan), "{}\n{}\n{}", plan, report, again);
    Ok(decided(&plan))
}

#[test]
fn a_plan_makes_and_changes_the_collections_that_the_rules_accept() {
    let runtime = runtime();
    let (mut changed, mut decided) = (0, 0);
    run(PLANNED_COLLECTIONS.now(), &accepted_pair(), |(first, second)| {
        runtime.block_on(async {
            let db = database().await;
            prop_assert_eq!(settle(&db, &first).await?, 0);
            if !matches!(first.kind(), Some(cases::Kind::View { .. })) {
                // A small capped collection takes no document.
                let _ = db.collection::<Thing>("things").insert_many((0..3).map(thing)).await;
            }
            let decisions = settle(&db, &second).await?;
            if decisions == 0 {
                changed += 1
            } else {
                decided += 1
            }
            db.drop().await.expect("dropped");
            Ok(())
        })
    });
    println!("{changed} changed, {decided} need a decision");
    assert!(changed > 0 && decided > 0, "{changed} {decided}");
}

/// The generated collections have each kind and each kind of index.
#[test]
fn the_accepted_collections_are_of_each_kind() {
    let mut kinds = [0; 5];
    let mut directions = [0; 7];
    run(2_000, &accepted(), |things| {
        let kind = match things.kind() {
            None => 0,
            Some(cases::Kind::Capped { .. }) => 1,
            Some(cases::Kind::Clustered { .. }) => 2,
            Some(cases::Kind::Series { .. }) => 3,
            Some(cases::Kind::View { .. }) => 4,
        };
        kinds[kind] += 1;
        for key in things.indexes.iter().flat_map(|index| &index.keys) {
            directions[key.0 as usize] += 1;
        }
        Ok(())
    });
    assert!(kinds.iter().chain(&directions).all(|count| *count > 50), "{kinds:?} {directions:?}");
}
