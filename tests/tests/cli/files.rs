//! The commands that need no server: `snapshot`, `diff`, `completions` and `man`.

use std::{fs, path::Path};

use serde_json::Value;

use crate::program::{Ended, command, run};

async fn ran(arguments: &[&str]) -> Ended {
    run(command(arguments)).await
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

#[tokio::test]
async fn a_snapshot_is_a_file_and_a_diff_of_the_same_schema_is_empty() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("schema.json");
    let ended = ran(&["snapshot"]).await;
    let schema = ended.with(0).to_owned();
    assert!(schema.starts_with("{\n  \"format\": 1"), "{schema}");
    assert_eq!(ended.stderr, "");

    ran(&["snapshot", "--out", text(&file)]).await.with(0);
    assert_eq!(fs::read_to_string(&file).expect("the file"), schema);
    assert_eq!(ran(&["diff", text(&file)]).await.with(0), "no changes\n");
    assert_eq!(ran(&["diff", text(&file), text(&file)]).await.with(0), "no changes\n");
    let json: Value = serde_json::from_str(ran(&["snapshot", "--json"]).await.with(0)).expect("JSON");
    assert_eq!(json, serde_json::from_str::<Value>(&schema).expect("JSON"));
}

#[tokio::test]
async fn a_diff_has_a_code_for_each_level() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("schema.json");
    let schema: Value = serde_json::from_str(ran(&["snapshot"]).await.with(0)).expect("JSON");
    for (part, name, code, level) in
        [("indexes", "name_1_price_-1", 3, "needs_step"), ("fields", "\"price\"", 4, "breaks")]
    {
        let mut old = schema.clone();
        let parts = old["models"][0][part].as_array_mut().expect("a list");
        let before = parts.len();
        parts.retain(|part| !part.to_string().contains(name));
        assert_eq!(parts.len(), before - 1, "{part}: {schema:#}");
        fs::write(&file, old.to_string()).expect("a file");
        let old = text(&file);
        let ended = ran(&["diff", old]).await;
        assert!(ended.with(code).starts_with("products\n  + "), "{ended:?}");
        for arguments in [&["diff", old, "--format", "json"][..], &["diff", old, "--json"]] {
            let json: Value = serde_json::from_str(ran(arguments).await.with(code)).expect("JSON");
            assert_eq!((&json["format"], &json["level"]), (&1.into(), &level.into()), "{json}");
        }
        let ended = ran(&["diff", old, "--format", "github"]).await;
        assert!(ended.with(code).starts_with("::"), "{ended:?}");
    }
    fs::write(&file, "{}").expect("a file");
    for wrong in [text(&file), "/nowhere/schema.json"] {
        let ended = ran(&["diff", wrong]).await;
        ended.with(1);
        assert!(ended.stderr.starts_with(&format!("error: {wrong}: ")), "{ended:?}");
    }
}

#[tokio::test]
async fn completions_and_pages_are_of_the_whole_program() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(ran(&["completions", shell]).await.with(0).contains("uri-env"), "{shell}");
    }
    assert!(ran(&["man"]).await.with(0).contains(".TH schema-program 1"));
    assert!(ran(&["man", "plan"]).await.with(0).contains(".TH schema-program-plan 1"));
    ran(&["man", "nothing"]).await.with(2);

    let mut nested = command(&["db", "completions", "bash"]);
    nested.env("SCHEMA_TESTS_NESTED", "1");
    let ended = run(nested).await;
    ended.with(2);
    assert!(ended.stderr.contains("call `clap_complete` and `clap_mangen`"), "{ended:?}");
}
