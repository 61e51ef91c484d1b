//! The texts of diagrams: the shown facts, the asked part, names, and the length that Mermaid takes.

use schema_runtime::{
    diagram::{DiagramError, DiagramFormat, DiagramOptions, draw},
    prelude::*,
    schema_file::SchemaFile,
};
use schema_tests::{
    copies::{Card, Item, Owner, Tag},
    links::{Author, Book, Person, Task},
    models::{Host, LogMsg},
};
use serde_json::json;

use super::{drawn, generated};

fn many(count: usize) -> SchemaFile {
    let field = |number: usize| json!({ "path": format!("a_field_with_a_long_name_{number}"), "type": "string" });
    let fields: Vec<_> = (0..20).map(field).collect();
    let model = |number: usize| {
        let mut fields = fields.clone();
        let relation =
            json!({ "cardinality": "one_to_many", "storage": "parent_ref", "to": format!("c{}", number / 2) });
        fields.push(json!({ "path": "to", "type": "objectId", "relation": relation }));
        json!({ "collection": format!("c{number}"), "model": format!("M{number}"), "unknown_fields": "drop",
            "fields": fields })
    };
    let models: Vec<_> = (0..count).map(model).collect();
    SchemaFile::from_json(&json!({ "format": 1, "models": models }).to_string()).unwrap()
}

#[test]
fn the_same_schema_gives_the_same_bytes() {
    for (name, file, picture) in super::pictures() {
        let read = SchemaFile::from_json(&file.to_json()).unwrap();
        assert_eq!(drawn(&read, DiagramFormat::Svg), *picture, "{name}");
        for format in [DiagramFormat::Mermaid, DiagramFormat::Dot] {
            let options = DiagramOptions::new();
            assert_eq!(draw(file, format, &options), draw(&read, format, &options), "{name} {format:?}");
        }
    }
}

#[test]
fn a_two_way_relation_is_one_line_from_the_truth() {
    let file = schema![Task, Person, Book, Author].snapshot().unwrap();
    let text = drawn(&file, DiagramFormat::Mermaid);
    let lines: Vec<&str> = text.lines().filter(|line| line.contains("--")).map(str::trim).collect();
    let expected = [
        r#""books" }o--o{ "authors" : "authors (truth): many to many, ids ≤ 3, at both ends""#,
        r#""tasks" }o--o| "people" : "owner (truth): many to zero or one, parent, at both ends""#,
    ];
    assert_eq!(lines, expected);
}

#[test]
fn copies_are_dashed_and_may_be_hidden() {
    let file = schema![Tag, Owner, Item, Card].snapshot().unwrap();
    let with = drawn(&file, DiagramFormat::Dot);
    assert!(with.contains("style=dashed"));
    let without = draw(&file, DiagramFormat::Dot, &DiagramOptions::new().hide_copies()).unwrap();
    assert!(!without.contains("style=dashed"));
}

#[test]
fn indexes_may_be_hidden() {
    let file = schema![Host, LogMsg].snapshot().unwrap();
    assert!(drawn(&file, DiagramFormat::Svg).contains("index (host, time desc"));
    let without = draw(&file, DiagramFormat::Svg, &DiagramOptions::new().hide_indexes()).unwrap();
    assert!(!without.contains("index (") && !without.contains("IX") && !without.contains("UK"));
}

#[test]
fn only_a_part_with_the_neighbors() {
    let file = many(16);
    let shown = |options: DiagramOptions| -> Vec<String> {
        let text = draw(&file, DiagramFormat::Mermaid, &options).unwrap();
        let boxes = text.lines().filter(|line| line.ends_with("\" {"));
        boxes.map(|line| line.trim().trim_end_matches(" {").trim_matches('"').to_owned()).collect()
    };
    assert_eq!(shown(DiagramOptions::new().only("c3").depth(0)), ["c3"]);
    assert_eq!(shown(DiagramOptions::new().only("M3")), ["c1", "c3", "c6", "c7"]);
    let expected = ["c0", "c1", "c12", "c13", "c14", "c15", "c2", "c3", "c6", "c7"];
    let mut two = shown(DiagramOptions::new().only("c3").depth(2));
    two.sort_unstable();
    assert_eq!(two, expected);
    let error = draw(&file, DiagramFormat::Svg, &DiagramOptions::new().only("C33")).unwrap_err();
    let DiagramError::UnknownName { name, nearest } = &error else { panic!("{error}") };
    assert_eq!((name.as_str(), nearest.as_deref()), ("C33", Some("c3")));
}

#[test]
fn a_text_that_mermaid_refuses_names_a_part() {
    let file = many(60);
    let error = draw(&file, DiagramFormat::Mermaid, &DiagramOptions::new()).unwrap_err();
    let DiagramError::TooLong { characters, only } = &error else { panic!("{error}") };
    assert!(*characters > 50_000);
    let part = draw(&file, DiagramFormat::Mermaid, &DiagramOptions::new().only(only)).unwrap();
    assert!(part.len() < 50_000);
}

#[test]
fn modules_are_frames_in_dot_and_texts_in_boxes() {
    let file = generated::file(1);
    let options = DiagramOptions::new().group_by_module();
    let dot = draw(&file, DiagramFormat::Dot, &options).unwrap();
    assert_eq!(dot.matches("subgraph cluster_").count(), 3);
    assert!(draw(&file, DiagramFormat::Svg, &options).unwrap().contains(">in m1<"));
}

#[test]
fn hostile_names_are_texts() {
    let pages = (0..40).step_by(8).map(|seed| drawn(&generated::file(seed), DiagramFormat::Html));
    for text in super::pictures().iter().map(|(_, _, picture)| picture.clone()).chain(pages) {
        assert!(!text.contains("<img") && !text.contains("onerror=alert(1)>"));
        assert!(!text.contains('\u{202e}'));
    }
}
