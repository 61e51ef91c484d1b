//! `plan`, and plans that are saved.

use mongodb::bson::{Document, doc};
use serde_json::Value;

use crate::program::{Program, run};

#[tokio::test]
async fn a_plan_has_the_changes_and_the_code_3() {
    let program = Program::new().await;
    let ended = program.run(&["plan"]).await;
    let text = ended.with(3);
    assert!(text.starts_with("products (Product)\n  + collection, validator strict error\n"), "{text}");
    assert!(text.contains("+ index number_1 {number: 1} unique\n"), "{text}");
    assert_eq!(ended.stderr, "");

    program.run(&["apply", "--yes"]).await.with(0);
    let ended = program.run(&["plan"]).await;
    assert_eq!(ended.with(0), "nothing to change\n");
}

#[tokio::test]
async fn a_plan_as_json_has_a_step_for_each_change() {
    let program = Program::new().await;
    let (code, json) = program.json(&["plan"]).await;
    assert_eq!(code, Some(3));
    let steps = json["steps"].as_array().expect("steps");
    assert_eq!(steps[0]["collection"], "products");
    assert_eq!(steps[0]["needs"], Value::Null);
    assert!(steps.iter().any(|step| step["change"] == "+ index number_1 {number: 1} unique"), "{json}");
    assert_eq!(json["database"], program.db.name());
}

#[tokio::test]
async fn apply_does_a_saved_plan_and_refuses_an_outdated_plan() {
    let program = Program::new().await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("plan.json");
    let file = file.to_str().expect("UTF-8");
    program.run(&["plan", "--out", file]).await.with(3);
    let apply = ["apply", file, "--yes"];

    let other = Program::new().await.run(&apply).await;
    other.with(1);
    assert!(other.stderr.contains("the saved plan is of another database"), "{other:?}");
    let other = program.run_with("all", &apply).await;
    other.with(1);
    assert!(other.stderr.contains("the saved plan is of another schema"), "{other:?}");

    program.run(&apply).await.with(0);
    let done = program.run(&apply).await;
    done.with(1);
    assert!(done.stderr.contains("a step of the saved plan is done already"), "{done:?}");

    let products = program.db.collection::<Document>("products");
    products.drop_index("number_1").await.expect("the index");
    let (code, json) = program.json(&apply).await;
    assert_eq!((code, &json["error"]["cause"]), (Some(1), &"schema".into()), "{json}");
}

#[tokio::test]
async fn a_damaged_plan_is_refused() {
    let program = Program::new().await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("plan.json");
    let path = file.to_str().expect("UTF-8").to_owned();
    program.run(&["plan", "--out", &path]).await.with(3);
    let saved = std::fs::read_to_string(&file).expect("the plan");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1, "no other file is left");

    for (text, reason) in [
        (saved[..saved.len() / 2].to_owned(), "the text is no saved plan: EOF while parsing"),
        (saved.replace("number_1", "other_1"), "the plan of now has another step"),
        (saved.replace("\"format\": 1", "\"format\": 2"), "the saved plan has format 2"),
        (String::new(), "the text is no saved plan"),
    ] {
        std::fs::write(&file, text).expect("a file");
        let ended = program.run(&["apply", &path, "--yes"]).await;
        ended.with(1);
        assert!(ended.stderr.contains(reason), "{reason}: {ended:?}");
        assert_eq!(ended.stderr.lines().count(), 2, "the server and the reason: {ended:?}");
    }
    let ended = program.run(&["apply", "/nowhere/plan.json", "--yes"]).await;
    ended.with(1);
    let ended = program.run(&["plan", "--out", "/nowhere/plan.json"]).await;
    ended.with(1);
    assert!(ended.stderr.starts_with("error: /nowhere/plan.json: "), "{ended:?}");
    let collections = program.db.list_collection_names().await.expect("names");
    assert!(collections.is_empty(), "{collections:?}");
}

#[tokio::test]
async fn names_of_the_server_control_no_terminal() {
    let program = Program::new().await;
    program.run(&["apply", "--yes"]).await.with(0);
    let index = doc! { "key": { "price": 1 }, "name": "\u{1b}[2J\u{202e}" };
    program.db.run_command(doc! { "createIndexes": "products", "indexes": [index] }).await.expect("an index");
    for arguments in [&["plan"][..], &["plan", "--color", "always"], &["apply", "--yes"]] {
        let ended = program.run(arguments).await;
        let all = format!("{}{}", ended.stdout, ended.stderr);
        assert!(all.contains("\\u{1b}[2J\\u{202e}") && !all.contains("\u{1b}[2J"), "{ended:?}");
    }
}

#[tokio::test]
async fn a_plan_to_a_device_is_written_there() {
    let program = Program::new().await;
    let ended = run(program.command(&["plan", "--out", "/dev/full"])).await;
    ended.with(1);
    assert!(ended.stderr.contains("/dev/full: "), "{ended:?}");
    program.run(&["plan", "--out", "/dev/null"]).await.with(3);
}
