//! The page of the stored format lists each name that the runtime stores, and no other name.

use std::{collections::BTreeSet, fs};

use crate::root;

/// The table of the runtime.
const TABLE: &str = "schema-runtime/src/definition/stored_names.rs";

/// Returns the literals of the constants in a text.
fn literals(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| line.contains(": &str = \"")).filter_map(|line| line.split('"').nth(1))
}

/// Returns the names in the table of the runtime.
fn stored() -> BTreeSet<String> {
    let table = fs::read_to_string(root().join(TABLE)).expect("the table");
    literals(&table).filter(|name| !name.contains('.')).map(str::to_owned).collect()
}

/// Returns the names in the first column of the tables of a section.
fn listed(section: &str) -> BTreeSet<String> {
    let page = fs::read_to_string(root().join("docs/stored-format.md")).expect("the page");
    let (_, rest) = page.split_once(&format!("\n## {section}\n")).expect("the section");
    let rows = rest.split("\n## ").next().unwrap_or_default().lines().filter(|line| line.starts_with("| `"));
    rows.filter_map(|row| row.split('`').nth(1)).map(|name| name.split('<').next().unwrap_or(name).to_owned()).collect()
}

#[test]
fn the_page_lists_each_stored_name() {
    let mut fields = listed("Fields of documents");
    fields.extend(listed("Collections"));
    assert_eq!(fields, stored());
}

/// No other file of the runtime spells a stored name.
#[test]
fn the_table_is_the_only_place_of_a_stored_name() {
    let (mut files, names) = (Vec::new(), stored());
    crate::names::sources(&root().join("schema-runtime/src"), &mut files);
    for file in files.iter().filter(|file| !file.ends_with("definition/stored_names.rs")) {
        let text = fs::read_to_string(file).expect("a source");
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
            let spelt = names.iter().find(|name| {
                line.contains(&format!("\"{name}\"")) || name.ends_with('_') && line.contains(&format!("\"{name}{{"))
            });
            assert!(spelt.is_none(), "{}: {line}", file.display());
        }
    }
}

/// The derive knows the names that a struct with derived data may not use.
#[test]
fn the_derive_reserves_the_names_of_the_table() {
    let rule = fs::read_to_string(root().join("schema-derive/src/rules/fields/reserved_field.rs")).expect("a rule");
    let lists = rule.lines().filter(|line| line.starts_with("const ") && line.contains("[&str; "));
    let names = lists.flat_map(|line| line.split('"').skip(1).step_by(2));
    let mut reserved: BTreeSet<String> = names.map(str::to_owned).collect();
    let slug = fs::read_to_string(root().join("schema-derive/src/model/slug.rs")).expect("a source");
    assert!(slug.contains("format!(\"_slugs_{"));
    reserved.insert("_slugs_".to_owned());
    // The runtime judges the fields of delete rules, since the rules stand on another model.
    reserved.extend(["_unchecked", "_deleting", "_touched"].map(str::to_owned));
    let fields: BTreeSet<String> = stored().into_iter().filter(|name| name.starts_with('_')).collect();
    assert_eq!(reserved, fields);
}

#[test]
fn the_page_lists_each_field_of_a_bucket() {
    let definition = fs::read_to_string(root().join("schema-runtime/src/definition/bucket.rs")).expect("a source");
    let is_stored = |line: &&str| line.contains(": &str = \"") || line.trim_start().starts_with("Span::");
    let names = definition.lines().filter(is_stored).filter_map(|line| line.split('"').nth(1));
    let names: BTreeSet<String> = names.filter(|name| !name.contains('.')).map(str::to_owned).collect();
    assert_eq!(listed("Fields of buckets"), names);
}
