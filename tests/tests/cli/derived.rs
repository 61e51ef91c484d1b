//! `verify`, `recover`, `repair` and `recompute`: faults that writes outside of this crate make, and work that is left.

use mongodb::bson::{Document, doc};
use schema_runtime::{finish_writes, prelude::*};
use schema_tests::{
    copies::{self, Owner, Place},
    rollups::{self, Host, LogMsg},
};
use serde_json::Value;

use crate::program::Program;

/// The commands of writes that a profile may have.
fn writes() -> Document {
    doc! { "op": { "$in": ["insert", "update", "remove"] } }
}

async fn set(program: &Program, collection: &str, id: i64, change: Document) {
    let collection = program.db.collection::<Document>(collection);
    collection.update_one(doc! { "_id": id }, doc! { "$set": change }).await.expect("a write");
}

/// Returns the program with copies, all of which are right.
async fn with_copies() -> Program {
    let program = Program::with("copies").await;
    copies::prepare(&program.db).await;
    Place(1).begin(&program.db).await.expect("documents");
    finish_writes(&program.db).await;
    // The marks of the new holders.
    program.run(&["recover"]).await.with(0);
    program
}

/// Returns the program with a host that counts two messages, one more than are stored.
async fn with_rollups() -> Program {
    let program = Program::with("rollups").await;
    program.run(&["apply", "--yes"]).await.with(0);
    Host::insert(&program.db, &rollups::host(1)).await.expect("a host");
    LogMsg::insert(&program.db, &rollups::message(1, 1)).await.expect("a message");
    program.run(&["verify"]).await.with(0);
    set(&program, "hosts", 1, doc! { "messages": 2_i64 }).await;
    program
}

#[tokio::test]
async fn a_verify_has_the_code_4_for_findings() {
    let program = with_copies().await;
    let ended = program.run(&["verify"]).await;
    assert_eq!((ended.with(0), &*ended.stderr), ("nothing found\n", ""));

    set(&program, "owners", Place(1).id(0), doc! { "label": "changed" }).await;
    let ended = program.run(&["verify"]).await;
    assert!(ended.with(4).contains("Item.owner: 1 stale copy"), "{ended:?}");
    let (code, json) = program.json(&["verify"]).await;
    assert_eq!((code, &json["database"]), (Some(4), &program.db.name().into()));
    let finding = &json["findings"][0];
    assert_eq!((&finding["kind"], &finding["model"]), (&"stale_copy".into(), &"Item".into()), "{json}");
    assert_eq!(finding["examples"][0]["id"], Value::Null, "a number may be personal data: {json}");
    let (_, json) = program.json(&["verify", "--values"]).await;
    assert!(json["findings"][0]["examples"][0]["id"].is_string(), "{json}");
}

#[tokio::test]
async fn a_verify_of_some_models_finds_the_faults_of_these_models() {
    let program = with_copies().await;
    set(&program, "owners", Place(1).id(0), doc! { "label": "changed" }).await;
    program.run(&["verify", "--only", "Card"]).await.with(0);
    program.run(&["verify", "--only", "cards,tags"]).await.with(0);
    program.run(&["verify", "--only", "Card,items"]).await.with(4);
    // The copies of the documents of a model belong to the model too.
    program.run(&["verify", "--only", "owners"]).await.with(4);
    for command in [&["verify"][..], &["repair", "--yes"], &["recompute", "--yes"]] {
        let ended = program.run(&[command, &["--only", "itens"]].concat()).await;
        assert_eq!(ended.with(2), "");
        let message = "error: no model and no collection has a name of `--only`; the nearest name is `items`\n";
        assert_eq!(ended.stderr, message);
    }
}

#[tokio::test]
async fn a_recover_completes_the_work_that_is_left() {
    let program = with_copies().await;
    let ended = program.run(&["recover"]).await;
    assert_eq!(ended.with(0), "nothing to recover\n");
    assert!(ended.stderr.starts_with("server "), "{ended:?}");

    let update = Owner::update_by_id(Place(1).id(0)).set(Owner::F.label, "changed").defer_copies();
    update.execute(&program.db).await.expect("an update");
    let verified = program.run(&["verify"]).await;
    assert!(verified.with(0).contains("`recover` completes the work"), "{verified:?}");
    let dry = program.run(&["recover", "--dry-run"]).await;
    assert!(dry.with(3).starts_with("would recover: Item."), "{dry:?}");
    let (code, json) = program.json(&["recover", "--chunk", "1", "--pause", "1ms"]).await;
    assert_eq!((code, &json["dry_run"]), (Some(0), &false.into()), "{json}");
    let entries = json["entries"].as_array().expect("entries");
    assert!(entries.iter().any(|entry| entry["kind"] == "pending_source"), "{json}");
    assert_eq!(program.run(&["recover", "--throttle", "5000/s"]).await.with(0), "nothing to recover\n");
    assert_eq!(program.run(&["verify"]).await.with(0), "nothing found\n");
}

#[tokio::test]
async fn a_repair_needs_a_yes_and_repairs() {
    let program = with_copies().await;
    set(&program, "owners", Place(1).id(0), doc! { "label": "changed" }).await;
    let ended = program.run(&["repair"]).await;
    assert_eq!(ended.with(5), "");
    assert!(ended.stderr.ends_with("add `--yes`\n"), "{ended:?}");
    program.run(&["verify"]).await.with(4);

    program.run(&["repair", "--yes", "--only", "cards"]).await.with(0);
    program.run(&["verify"]).await.with(4);
    let ended = program.run(&["repair", "--yes", "--progress", "lines"]).await;
    assert!(ended.with(0).contains("Item.owner: 1 stale copy, 1 document written"), "{ended:?}");
    let first = ended.stderr.lines().next().expect("a line");
    assert!(first.starts_with("server ") && first.ends_with("no user"), "{first}");
    program.run(&["verify"]).await.with(0);
    assert_eq!(program.run(&["repair", "--yes"]).await.with(0), "nothing to repair\n");
}

#[tokio::test]
async fn a_document_that_the_server_refuses_is_a_finding_of_a_repair() {
    let program = with_copies().await;
    set(&program, "owners", Place(1).id(0), doc! { "label": "changed" }).await;
    let refuse = doc! { "collMod": "items", "validator": { "label": { "$ne": "changed" } } };
    program.db.run_command(refuse).await.expect("a validator");
    let (code, json) = program.json(&["repair", "--yes"]).await;
    assert_eq!((code, &json["entries"][0]["refused"]), (Some(4), &1.into()), "{json}");
}

#[tokio::test]
async fn a_recompute_needs_a_yes_and_corrects_the_parents() {
    let program = with_rollups().await;
    let ended = program.run(&["verify"]).await;
    assert!(ended.with(4).contains("1 document that differs from the children"), "{ended:?}");
    // A repair leaves rollups alone.
    assert_eq!(program.run(&["repair", "--yes"]).await.with(0), "nothing to repair\n");
    assert!(program.run(&["recompute"]).await.stderr.ends_with("add `--yes`\n"));
    let dry = program.run(&["recompute", "--dry-run"]).await;
    assert!(dry.with(3).starts_with("would recompute: Host"), "{dry:?}");

    let (code, json) = program.json(&["recompute", "--yes", "--only", "counters"]).await;
    assert_eq!((code, &json["models"][0]["model"]), (Some(0), &"Counter".into()), "{json}");
    program.run(&["verify"]).await.with(4);
    let ended = program.run(&["recompute", "--yes"]).await;
    assert_eq!(ended.with(0), "Host: 1 document recomputed\nCounter: 0 documents recomputed\n");
    program.run(&["verify"]).await.with(0);
    assert_eq!(program.run(&["recompute", "--dry-run"]).await.with(0), "nothing to recompute\n");
    let products = Program::new().await;
    assert_eq!(products.run(&["recompute", "--yes"]).await.with(0), "no model has a subset or a computed value\n");
}

#[tokio::test]
async fn a_dry_run_of_a_repair_sends_no_write() {
    let (copies, rollups) = (with_copies().await, with_rollups().await);
    set(&copies, "owners", Place(1).id(0), doc! { "label": "changed" }).await;
    for (program, command, code) in [(&copies, "repair", 3), (&copies, "recover", 0), (&rollups, "recompute", 3)] {
        program.db.run_command(doc! { "profile": 2 }).await.expect("a profile");
        let dry = program.run(&[command, "--dry-run"]).await;
        assert_eq!(dry.with(code).contains("would "), code == 3, "{dry:?}");
        program.db.run_command(doc! { "profile": 0 }).await.expect("no profile");
        let profile = program.db.collection::<Document>("system.profile");
        assert!(profile.count_documents(doc! {}).await.expect("a count") > 0, "the profile has the reads");
        assert_eq!(profile.count_documents(writes()).await.expect("a count"), 0, "{command}");
        profile.drop().await.expect("the profile is dropped");
    }
}
