//! `worker`: until Ctrl-C, until the end signal of the system, and once.

use schema_runtime::{finish_writes, prelude::*};
use schema_tests::copies::{self, Owner, Place};
use serde_json::Value;

use crate::{program::Program, running::Running};

/// Returns the program with an owner whose copies at two paths are left to a worker.
async fn with_work() -> Program {
    let program = Program::with("copies").await;
    copies::prepare(&program.db).await;
    Place(1).begin(&program.db).await.expect("documents");
    finish_writes(&program.db).await;
    // The marks of the new holders.
    program.run(&["recover"]).await.with(0);
    let update = Owner::update_by_id(Place(1).id(0)).set(Owner::F.label, "changed").defer_copies();
    update.execute(&program.db).await.expect("an update");
    program
}

#[tokio::test]
async fn a_worker_runs_until_ctrl_c() {
    let program = with_work().await;
    let running = Running::start(program.command(&["worker", "--recover-every", "1h", "--grace", "30s"]));
    let running = running.until("the worker runs until Ctrl-C").await.until("recovery in ").await;
    running.signal("INT");
    let ended = running.end().await;
    assert!(ended.with(130).starts_with("recoveries: 1 (2 sources)"), "{ended:?}");
    assert!(ended.stderr.starts_with("server "), "{ended:?}");
    assert_eq!(program.run(&["verify"]).await.with(0), "nothing found\n");
}

#[tokio::test]
async fn the_end_signal_of_the_system_ends_a_worker_with_0() {
    let program = with_work().await;
    let running = Running::start(program.command(&["worker", "--watch-all-copies", "--json"]));
    let running = running.until("the worker runs until Ctrl-C").await;
    running.signal("TERM");
    let ended = running.end().await;
    let json: Value = serde_json::from_str(ended.with(0)).expect("JSON");
    assert_eq!((&json["format"], &json["stopped"]), (&1.into(), &false.into()), "{json}");
    assert_eq!(json["database"], program.db.name());
}

#[tokio::test]
async fn a_worker_that_runs_once_ends_with_0() {
    let program = with_work().await;
    let (code, json) = program.json(&["worker", "--once"]).await;
    assert_eq!((code, &json["recovered"]["sources"]), (Some(0), &2.into()), "{json}");
    let ended = program.run(&["worker", "--once"]).await;
    assert!(ended.with(0).starts_with("recoveries: 1 (nothing to recover)"), "{ended:?}");
}

#[tokio::test]
async fn a_worker_without_work_waits() {
    let program = Program::new().await;
    let running = Running::start(program.command(&["worker"]));
    let running = running.until("no model has work for a worker; the worker waits for Ctrl-C").await;
    running.signal("INT");
    let ended = running.end().await;
    assert!(ended.with(130).starts_with("recoveries: 0 "), "{ended:?}");
}
