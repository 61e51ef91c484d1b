//! `diagram` and `describe`: the texts of the library, without a server.

use std::{fs, path::Path};

use serde_json::Value;

use crate::program::{Ended, command, run};

async fn ran(arguments: &[&str]) -> Ended {
    run(command(arguments)).await
}

/// Runs the program with the schema of both models.
async fn ran_with_all(arguments: &[&str]) -> Ended {
    let mut command = command(arguments);
    command.env("SCHEMA_TESTS_SCHEMA", "all");
    run(command).await
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

#[tokio::test]
async fn a_diagram_has_each_format() {
    let begins = [("mermaid", "erDiagram\n"), ("dot", "digraph"), ("svg", "<?xml "), ("html", "<!DOCTYPE html>\n")];
    for (format, begin) in begins {
        let ended = ran(&["diagram", "--format", format]).await;
        let diagram = ended.with(0);
        assert!(diagram.starts_with(begin) && diagram.contains("products"), "{format}: {diagram}");
        assert_eq!(ended.stderr, "", "{format}");
        let json: Value = serde_json::from_str(ran(&["diagram", "--format", format, "--json"]).await.with(0)).unwrap();
        assert_eq!((&json["format"], json["text"].as_str()), (&1.into(), Some(diagram)), "{format}");
    }
    assert_eq!(ran(&["diagram"]).await.with(0), ran(&["diagram", "--format", "mermaid"]).await.with(0));
    ran(&["diagram", "--format", "png"]).await.with(2);
}

#[tokio::test]
async fn a_description_has_each_format() {
    for (format, begin) in [("markdown", "# Schema\n"), ("html", "<!DOCTYPE html>\n")] {
        let ended = ran(&["describe", "--format", format]).await;
        let description = ended.with(0);
        assert!(description.starts_with(begin) && description.contains("by_name"), "{format}: {description}");
    }
    assert_eq!(ran(&["describe"]).await.with(0), ran(&["describe", "--format", "markdown"]).await.with(0));
}

#[tokio::test]
async fn the_name_of_a_file_gives_the_format() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, arguments) in [
        ("schema.mmd", &["diagram", "--format", "mermaid"][..]),
        ("schema.dot", &["diagram", "--format", "dot"]),
        ("schema.SVG", &["diagram", "--format", "svg"]),
        ("schema.html", &["diagram", "--format", "html"]),
        ("schema.md", &["describe", "--format", "markdown"]),
        ("description.html", &["describe", "--format", "html"]),
    ] {
        let file = folder.path().join(name);
        let ended = ran(&[arguments[0], "--out", text(&file)]).await;
        assert!(ended.with(0).ends_with(&format!("is in {}\n", text(&file))), "{ended:?}");
        let written = fs::read_to_string(&file).expect("the file");
        assert_eq!(ran(arguments).await.with(0), written, "{name}");
        let json: Value =
            serde_json::from_str(ran(&[arguments[0], "--out", text(&file), "--json"]).await.with(0)).expect("JSON");
        assert_eq!(json["file"], text(&file));
        // A given format is the format.
        ran(&[arguments, &["--out", text(&folder.path().join("other.html"))]].concat()).await.with(0);
        assert_eq!(fs::read_to_string(folder.path().join("other.html")).expect("the file"), written, "{name}");
    }
    ran(&["diagram", "--out", "/nowhere/schema.svg"]).await.with(1);
}

#[tokio::test]
async fn a_diagram_shows_a_part() {
    let whole = ran_with_all(&["diagram"]).await.with(0).to_owned();
    assert!(whole.contains("products") && whole.contains("parts"), "{whole}");
    let part = ran_with_all(&["diagram", "--only", "Part", "--depth", "2"]).await.with(0).to_owned();
    assert!(!part.contains("products") && part.contains("parts"), "{part}");
    assert_eq!(ran_with_all(&["diagram", "--only", "Part,products"]).await.with(0), whole);
    let indexes = |text: &str| text.contains("UK");
    assert!(indexes(&whole) && !indexes(ran_with_all(&["diagram", "--hide", "copies,indexes"]).await.with(0)));
    let grouped = ran_with_all(&["diagram", "--format", "dot", "--group-by", "module"]).await;
    assert!(grouped.with(0).contains("subgraph"), "{grouped:?}");

    let ended = ran_with_all(&["diagram", "--only", "Parts"]).await;
    ended.with(2);
    assert_eq!(ended.stderr, "error: the schema has no model and no collection `Parts`: `parts` is similar\n");
    ran(&["diagram", "--depth", "2"]).await.with(2);
}
