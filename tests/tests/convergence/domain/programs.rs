//! Random programs of four clients without a stop: all is right without `recover`, and nothing is left after `recover`.

use std::{
    cell::Cell,
    env,
    time::{SystemTime, UNIX_EPOCH},
};

use mongodb::Database;
use proptest::{
    collection::vec,
    prelude::*,
    test_runner::{RngAlgorithm, TestRng, TestRunner},
};
use schema_runtime::finish_writes;
use schema_tests::{
    domain::{begin, left, prepare, unbalanced, wrong},
    scale,
};

use super::{CLIENTS, Program, described, run, wrong_after_recover};
use crate::steps::runtime;

async fn judged(db: &Database, clients: &[Database], program: &Program) -> (u64, Vec<String>) {
    let mut ledger = begin(db).await.expect("the beginning");
    let (answered, failed) = run(clients, program).await;
    ledger.join(answered);
    let mut found: Vec<String> = failed.iter().map(|(work, error)| format!("{work:?}: {error}: {error:?}")).collect();
    found.extend(unbalanced(db).await.into_iter().map(|wrong| format!("before all is finished: {wrong}")));
    finish_writes(db).await;
    found.extend(wrong(db, &ledger).await.into_iter().map(|wrong| format!("before recover: {wrong}")));
    found.extend(left(db).await.into_iter().map(|left| format!("before recover: {left}")));
    found.extend(wrong_after_recover(db, &ledger).await.into_iter().map(|wrong| format!("after recover: {wrong}")));
    (ledger.acknowledged, found)
}

/// The first failing program is shrunk and described.
#[test]
fn any_program_of_the_domain_converges() {
    let seed = match env::var("SCHEMA_TESTS_SEED").map(|seed| seed.parse()) {
        Ok(seed) => seed.expect("a number"),
        Err(_) => SystemTime::now().duration_since(UNIX_EPOCH).expect("a time").as_nanos() as u64,
    };
    eprintln!("SCHEMA_TESTS_SEED={seed}");
    let runtime = runtime();
    let (db, clients) = runtime.block_on(async {
        let db = schema_tests::database().await;
        prepare(&db).await;
        let server = schema_tests::server().await;
        let mut clients = Vec::new();
        for _ in 0..CLIENTS {
            clients.push(server.database(db.name()).await.expect("a client"));
        }
        (db, clients)
    });
    let cases = scale::DOMAIN_PROGRAMS.now();
    let config = ProptestConfig { cases, failure_persistence: None, max_shrink_iters: 150, ..Default::default() };
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes));
    let done = Cell::new(0);
    let programs = vec(vec(any::<u64>().no_shrink(), 1..=8), CLIENTS);
    let result = runner.run(&programs, |program| {
        let task = {
            let (db, clients, program) = (db.clone(), clients.clone(), program.clone());
            runtime.spawn(async move { judged(&db, &clients, &program).await })
        };
        let (acknowledged, found) = runtime.block_on(task).expect("no panic");
        done.set(done.get() + acknowledged);
        if found.is_empty() {
            return Ok(());
        }
        let found = format!("{}\n{}", described(&program), found.join("\n"));
        eprintln!("{found}\n");
        Err(TestCaseError::fail(found))
    });
    println!("{cases} programs, {} writes acknowledged", done.get());
    assert!(done.get() > u64::from(cases), "hardly a write was done");
    if let Err(error) = result {
        panic!("SCHEMA_TESTS_SEED={seed}: {error}");
    }
}
