//! Descriptions and reports: the facts of each model, in Markdown and HTML.

use schema_runtime::{
    describe::{DescribeFormat, describe},
    diagram::{DiagramOptions, report},
    prelude::*,
};
use schema_tests::{
    copies::{Card, Item, Owner, Tag},
    links::{Author, Book, Person, Task},
    models::{Host, LogMsg},
};

use super::generated;

#[test]
fn a_description_has_the_relations_in_both_directions() {
    let text = describe(&schema![Task, Person, Book, Author].snapshot().unwrap(), DescribeFormat::Markdown);
    let (_, people) = text.split_once("\n## people\n").unwrap();
    assert!(people.contains("| tasks | tasks | one_to_many | two_way, mirror | owner |"), "{people}");
    assert!(people.contains("| tasks.owner | one_to_many | two_way |"), "{people}");
}

#[test]
fn a_description_has_the_indexes_with_their_users_and_the_costs() {
    let text = describe(&schema![Host, LogMsg].snapshot().unwrap(), DescribeFormat::Markdown);
    assert!(text.contains("the relation host"), "{text}");
    assert!(text.contains("| primary key | 1 document |"), "{text}");
    let copied = describe(&schema![Tag, Owner, Item, Card].snapshot().unwrap(), DescribeFormat::Markdown);
    assert!(copied.contains("is copied to") && copied.contains(" commands or more"), "{copied}");
}

#[test]
fn the_page_has_the_same_facts_as_the_markdown() {
    let file = schema![Host, LogMsg].snapshot().unwrap();
    let page = describe(&file, DescribeFormat::Html);
    let document_rows = page.matches("<tr>").count();
    let markdown = describe(&file, DescribeFormat::Markdown);
    let rows = markdown.lines().filter(|line| line.starts_with("| ")).count();
    assert_eq!(document_rows, rows);
    assert!(page.contains("default-src 'none'") && !page.contains("<script"));
}

#[test]
fn hostile_names_are_texts_of_descriptions() {
    for seed in 0..40 {
        let file = generated::file(seed);
        assert!(!describe(&file, DescribeFormat::Html).contains("<img"), "{seed}");
        let markdown = describe(&file, DescribeFormat::Markdown);
        assert!(!markdown.replace("\\<", "").contains('<'), "{seed}");
    }
}

#[test]
fn a_report_has_the_diagram_the_facts_and_the_review() {
    let schema = schema![Tag, Owner, Item, Card];
    let page = report(&schema.snapshot().unwrap(), &schema.review(), &DiagramOptions::new()).unwrap();
    for part in ["<svg", "Findings", "<h3>Reads</h3>", "<h3>Writes</h3>", "<h3>Use of indexes</h3>", "<h3>Copies</h3>"]
    {
        assert!(page.contains(part), "{part}");
    }
}
