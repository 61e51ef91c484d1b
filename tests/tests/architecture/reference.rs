//! The reference pages are complete: the page of causes has each error, the page of generated code has each operation,
//! and each page of an attribute has the forms and the generated code.

use std::{collections::BTreeSet, fs};

use crate::root;

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns the variants of an enum in a source.
fn variants(source: &str, name: &str) -> BTreeSet<String> {
    let (_, body) = source.split_once(&format!("pub enum {name} {{\n")).expect("the enum");
    let (body, _) = body.split_once("\n}").expect("the end of the enum");
    let lines = body.lines().filter_map(|line| line.strip_prefix("    "));
    let lines = lines.filter(|line| line.starts_with(|letter: char| letter.is_ascii_uppercase()));
    lines.map(|line| line.split([' ', '(', ',', '{']).next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn the_page_of_causes_lists_each_error() {
    let page = read("guide/pages/reference/errors.md");
    let mut names: BTreeSet<String> =
        variants(&read("schema-runtime/src/error.rs"), "Error").iter().map(|name| format!("Error::{name}")).collect();
    assert!(names.len() > 40, "{names:?}");
    for (file, part) in [
        ("aggregate", "Aggregate"),
        ("bucket", "Bucket"),
        ("search", "Search"),
        ("sharding", "Sharding"),
        ("tree", "Tree"),
    ] {
        // The variants of the inner enum stand for the variant of `Error`.
        assert!(names.remove(&format!("Error::{part}")), "{part}");
        let inner = variants(&read(&format!("schema-runtime/src/error/{file}.rs")), &format!("{part}Error"));
        names.extend(inner.iter().map(|name| format!("{part}Error::{name}")));
    }
    let kinds = variants(&read("schema-runtime/src/error/json.rs"), "JsonErrorKind");
    names.extend(kinds.iter().map(|name| format!("JsonErrorKind::{name}")));
    let missing: Vec<&String> = names.iter().filter(|name| !page.contains(&format!("`{name}`"))).collect();
    assert!(missing.is_empty(), "the page of causes lacks {missing:?}");
}

#[test]
fn the_page_of_generated_code_lists_each_operation() {
    let page = read("guide/pages/reference/generated.md");
    let rule = read("schema-derive/src/rules/fields/field_name.rs");
    let (_, list) = rule.split_once("const OPERATIONS").expect("the operations");
    let (list, _) = list.split_once("];").expect("the end of the operations");
    let operations: Vec<&str> = list.split('"').skip(1).step_by(2).filter(|name| *name != "id").collect();
    assert!(operations.len() > 30, "{operations:?}");
    let missing: Vec<&&str> = operations.iter().filter(|name| !page.contains(&format!("`{name}`"))).collect();
    assert!(missing.is_empty(), "the page of generated code lacks {missing:?}");
}

#[test]
fn each_page_of_an_attribute_has_all_headings() {
    let folder = root().join("guide/pages/attributes");
    let pages = fs::read_dir(folder).expect("the pages").map(|entry| entry.expect("an entry").path());
    for path in pages {
        let page = fs::read_to_string(&path).expect("a page");
        let headings: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("## ")).collect();
        assert_eq!(headings, ["Variants", "Generated", "Facts", "Related pages"], "{}", path.display());
    }
}
