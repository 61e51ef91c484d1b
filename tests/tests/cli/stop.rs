//! Ctrl-C during a change: the first Ctrl-C ends the command after the running step, the second Ctrl-C at once.

use mongodb::{
    ClientSession,
    bson::{Document, doc},
};
use schema_tests::until;

use crate::{program::Program, running::Running};

/// Begins a transaction that keeps the server from the build of an index of `products`.
async fn hold_products(program: &Program) -> ClientSession {
    let mut session = program.db.client().start_session().await.expect("a session");
    session.start_transaction().await.expect("a transaction");
    let product = doc! { "_id": 1, "name": "a", "price": 1_i64, "number": 1_i64 };
    program.db.collection::<Document>("products").insert_one(product).session(&mut session).await.expect("an insert");
    session
}

/// Runs an apply of two steps, and waits until the server is at the first step.
async fn apply_held(program: &Program, more: &[&str]) -> (Running, ClientSession) {
    program.run(&["apply", "--yes"]).await.with(0);
    program.db.collection::<Document>("products").drop_index("number_1").await.expect("the index");
    program.db.collection::<Document>("parts").drop().await.expect("the collection");
    let session = hold_products(program).await;
    let running = Running::start(program.command(&[&["apply", "--yes"], more].concat()));
    let admin = program.db.client().database("admin");
    until(async || {
        let build = doc! { "$match": { "command.createIndexes": "products", "command.$db": program.db.name() } };
        let mut found = admin.aggregate(vec![doc! { "$currentOp": {} }, build]).await.expect("the operations");
        found.advance().await.expect("an operation")
    })
    .await;
    (running, session)
}

#[tokio::test]
async fn ctrl_c_ends_an_apply_after_the_running_step() {
    let program = Program::with("all").await;
    let (running, mut session) = apply_held(&program, &[]).await;
    running.signal("INT");
    let running = running.until("stopping after the running step; press Ctrl-C again to end at once").await;
    session.abort_transaction().await.expect("the end of the transaction");
    let ended = running.end().await;
    let text = ended.with(130);
    assert!(text.starts_with("done: products: index number_1 {number: 1} unique\n"), "{ended:?}");
    assert!(text.contains("not reached: parts: "), "{ended:?}");
    assert!(text.ends_with("stopped by Ctrl-C: `apply` again does the steps that are left\n"), "{ended:?}");
    program.run(&["apply", "--yes"]).await.with(0);
    program.run(&["plan"]).await.with(0);
}

#[tokio::test]
async fn a_stopped_apply_as_json_has_the_outcome_of_each_step() {
    let program = Program::with("all").await;
    let (running, mut session) = apply_held(&program, &["--json"]).await;
    running.signal("INT");
    let running = running.until("stopping after the running step").await;
    session.abort_transaction().await.expect("the end of the transaction");
    let ended = running.end().await;
    let json: serde_json::Value = serde_json::from_str(ended.with(130)).expect("JSON");
    assert_eq!((&json["format"], &json["stopped"]), (&1.into(), &true.into()), "{json}");
    let steps = json["steps"].as_array().expect("steps");
    assert_eq!(steps.first().map(|step| &step["outcome"]), Some(&"done".into()), "{json}");
    assert_eq!(steps.last().map(|step| &step["outcome"]), Some(&"not_reached".into()), "{json}");
}

#[tokio::test]
async fn the_second_ctrl_c_ends_an_apply_at_once() {
    let program = Program::with("all").await;
    let (running, mut session) = apply_held(&program, &[]).await;
    running.signal("INT");
    let running = running.until("press Ctrl-C again to end at once").await;
    running.signal("INT");
    // The transaction still holds the step.
    let ended = running.end().await;
    assert_eq!(ended.with(130), "");
    assert!(ended.stderr.ends_with("error: stopped\n"), "{ended:?}");
    session.abort_transaction().await.expect("the end of the transaction");
}

#[tokio::test]
async fn ctrl_c_ends_a_command_that_changes_nothing_at_once() {
    let program = Program::new().await;
    // The server of this address accepts connections and never answers.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let mut command = program.command(&["verify"]);
    command.env("MONGODB_URI", format!("mongodb://{}", silent.local_addr().expect("an address")));
    let running = Running::start(command);
    let accepted = tokio::task::spawn_blocking(move || silent.accept().map(|(stream, _)| (stream, silent))).await;
    let accepted = accepted.expect("the wait").expect("a connection");
    running.signal("INT");
    let ended = running.end().await;
    assert_eq!((ended.with(130), &*ended.stderr), ("", "error: stopped\n"), "{ended:?}");
    drop(accepted);
}
