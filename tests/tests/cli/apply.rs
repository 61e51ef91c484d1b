//! `apply`: permissions, consent, dry runs and two applies at once.

use mongodb::bson::{Document, doc};
use serde_json::Value;

use crate::program::Program;

/// Makes an index that no model declares.
async fn undeclared(program: &Program) {
    program.run(&["apply", "--yes"]).await.with(0);
    let index = doc! { "key": { "price": 1 }, "name": "price" };
    program.db.run_command(doc! { "createIndexes": "products", "indexes": [index] }).await.expect("an index");
}

async fn index_names(program: &Program) -> Vec<String> {
    program.db.collection::<Document>("products").list_index_names().await.expect("names")
}

#[tokio::test]
async fn an_apply_names_the_server_first() {
    let program = Program::new().await;
    let ended = program.run(&["apply", "--yes"]).await;
    assert!(ended.with(0).starts_with("done: products: collection"), "{ended:?}");
    let first = ended.stderr.lines().next().expect("a line");
    assert!(first.starts_with("server ") && first.contains(", MongoDB "), "{first}");
    assert!(first.ends_with(&format!("database {}, no user", program.db.name())), "{first}");
    assert_eq!(program.run(&["apply"]).await.with(0), "nothing to change\n");
}

#[tokio::test]
async fn without_a_terminal_an_apply_names_the_flag() {
    let program = Program::new().await;
    let ended = program.run(&["apply"]).await;
    assert_eq!(ended.with(5), "");
    assert!(ended.stderr.contains("+ index number_1"), "the plan is shown: {ended:?}");
    assert!(ended.stderr.ends_with("add `--yes`\n"), "{ended:?}");
    let (code, json) = program.json(&["apply"]).await;
    assert_eq!((code, &json["error"]["cause"]), (Some(5), &"unanswered".into()));
    assert!(program.db.list_collection_names().await.expect("names").is_empty());
}

#[tokio::test]
async fn a_drop_needs_the_word_and_the_name_of_the_collection() {
    let program = Program::new().await;
    undeclared(&program).await;
    let ended = program.run(&["apply", "--yes"]).await;
    let text = ended.with(0);
    assert!(text.ends_with("undeclared parts stay: add `--allow drop-undeclared`\n"), "{text}");

    let allowed = ["apply", "--yes", "--allow", "drop-undeclared"];
    let ended = program.run(&allowed).await;
    assert_eq!(ended.with(5), "");
    assert!(ended.stderr.contains("by `--allow`, the apply also does:\n  products: - index price"), "{ended:?}");
    assert!(ended.stderr.ends_with("add `--confirm products`\n"), "{ended:?}");
    program.run(&[&allowed[..], &["--confirm", "parts"]].concat()).await.with(5);
    assert!(index_names(&program).await.contains(&"price".to_owned()));

    let ended = program.run(&[&allowed[..], &["--confirm", "products"]].concat()).await;
    assert!(ended.with(0).starts_with("done: products: index price"), "{ended:?}");
    assert!(!index_names(&program).await.contains(&"price".to_owned()));
}

#[tokio::test]
async fn a_declared_index_that_waits_for_an_option_is_code_5() {
    let program = Program::new().await;
    program.run(&["apply", "--yes"]).await.with(0);
    program.db.collection::<Document>("products").drop_index("number_1").await.expect("the index");
    let index = doc! { "key": { "number": 1 }, "name": "number_1", "sparse": true };
    program.db.run_command(doc! { "createIndexes": "products", "indexes": [index] }).await.expect("an index");
    let ended = program.run(&["apply", "--yes"]).await;
    let text = ended.with(5);
    assert!(text.ends_with("steps are left: add `--allow rebuild`\n"), "{text}");
}

#[tokio::test]
async fn to_hide_an_index_needs_no_name() {
    let program = Program::new().await;
    undeclared(&program).await;
    let ended = program.run(&["apply", "--yes", "--allow", "hide-undeclared,drop-undeclared"]).await;
    assert!(ended.with(0).starts_with("hidden: products: index price"), "{ended:?}");
    let (code, json) = program.json(&["apply", "--yes"]).await;
    assert_eq!((code, &json["missing_allow"][0]), (Some(0), &"drop-undeclared".into()), "{json}");
    assert_eq!(json["steps"][0]["outcome"], "not_requested");
}

#[tokio::test]
async fn a_dry_run_differs_by_would_and_sends_no_write() {
    let program = Program::new().await;
    undeclared(&program).await;
    program.db.collection::<Document>("products").drop_index("number_1").await.expect("the index");
    program.db.run_command(doc! { "profile": 2 }).await.expect("a profile");
    for allow in [&[][..], &["--allow", "drop-undeclared"], &["--allow", "hide-undeclared"]] {
        let arguments = [&["apply", "--dry-run"][..], allow].concat();
        let ended = program.run(&arguments).await;
        assert!(ended.with(0).contains("would be done: products: index number_1"), "{ended:?}");
    }
    program.db.run_command(doc! { "profile": 0 }).await.expect("no profile");
    let writes = doc! { "$or": [
        { "op": { "$in": ["insert", "update", "remove"] } },
        { "command.createIndexes": { "$exists": true } }, { "command.dropIndexes": { "$exists": true } },
        { "command.collMod": { "$exists": true } }, { "command.create": { "$exists": true } },
    ] };
    let profile = program.db.collection::<Document>("system.profile");
    assert!(profile.count_documents(doc! {}).await.expect("a count") > 0, "the profile has the reads");
    assert_eq!(profile.count_documents(writes).await.expect("a count"), 0);

    let allow = ["apply", "--yes", "--allow", "drop-undeclared", "--confirm", "products"];
    let dry = program.run(&[&allow[..], &["--dry-run"]].concat()).await;
    let run = program.run(&allow).await;
    assert_eq!(dry.with(0).replace("would be ", ""), run.with(0));
}

#[tokio::test]
async fn a_step_that_fails_has_the_code_1_and_the_dry_run_foresees_the_failure() {
    let program = Program::new().await;
    let products = program.db.collection::<Document>("products");
    let product = |id: i32| doc! { "_id": id, "name": "a", "price": 1_i64, "number": 7_i64 };
    products.insert_many([product(1), product(2)]).await.expect("documents");
    let dry = program.run(&["apply", "--dry-run"]).await;
    let run = program.run(&["apply", "--yes"]).await;
    assert!(run.with(1).contains("failed: products: index number_1"), "{run:?}");
    assert_eq!(dry.with(1).replace("would be ", ""), run.stdout);
}

#[tokio::test]
async fn a_validator_that_documents_do_not_pass_needs_a_word() {
    let program = Program::new().await;
    program.db.collection::<Document>("products").insert_one(doc! { "_id": "text" }).await.expect("a document");
    let dry = program.run(&["apply", "--dry-run"]).await;
    let ended = program.run(&["apply", "--yes"]).await;
    assert!(ended.with(5).ends_with("add `--allow refused`\n"), "{ended:?}");
    assert_eq!(dry.with(5).replace("would be ", ""), ended.stdout);
    program.run(&["apply", "--yes", "--allow", "refused"]).await.with(0);
}

#[tokio::test]
async fn two_applies_at_once_end_well() {
    let program = Program::new().await;
    let apply = || program.run(&["apply", "--yes"]);
    let ended = futures_util::future::join_all([apply(), apply(), apply()]).await;
    for ended in &ended {
        assert_eq!(ended.code, Some(0), "{ended:?}");
    }
    program.run(&["plan"]).await.with(0);
}

#[tokio::test]
async fn an_apply_as_json_has_the_outcome_of_each_step() {
    let program = Program::new().await;
    let (code, json) = program.json(&["apply", "--yes"]).await;
    assert_eq!(code, Some(0));
    let outcomes = json["steps"].as_array().expect("steps").iter().map(|step| &step["outcome"]);
    assert!(outcomes.collect::<Vec<&Value>>().iter().all(|outcome| **outcome == "done"), "{json}");
    assert_eq!(json["missing_allow"], Value::Array(Vec::new()));
}
