//! The page of the stored format lists each name that the runtime stores, and no other name.

use std::{collections::BTreeSet, fs};

use crate::root;

/// Names that a pipeline computes and that no document stores.
const COMPUTED: [&str; 6] = ["_level", "_wrong", "_ambiguous", "_children", "_found", "_stamp"];

/// Returns the names in literals of the runtime: fields with a leading underscore, and collections of this crate.
fn stored() -> BTreeSet<String> {
    let mut files = Vec::new();
    crate::names::sources(&root().join("schema-runtime/src"), &mut files);
    let mut stored = BTreeSet::new();
    for file in files.iter().filter(|file| !file.ends_with("local/replica_set.rs")) {
        let text = fs::read_to_string(file).expect("a source");
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        for line in code.filter(|line| line.contains(": &str = \"") || line.contains("format!(\"_")) {
            let Some(literal) = line.split('"').nth(1) else { continue };
            let name = literal.split(['.', '{']).next().unwrap_or_default();
            let is_name = !name.is_empty() && name.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_');
            let is_collection = name.starts_with("schema_") && line.contains(": &str = ");
            if is_name && (name.starts_with('_') || is_collection) && !name.starts_with("__") {
                stored.insert(name.to_owned());
            }
        }
    }
    stored.remove("_id");
    stored.remove("_id_");
    COMPUTED.iter().for_each(|name| assert!(stored.remove(*name), "{name} is computed nowhere"));
    stored
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
    // The derive forms the name of the list of earlier slugs.
    let derive = fs::read_to_string(root().join("schema-derive/src/model/slug.rs")).expect("a source");
    assert!(derive.contains("format!(\"_slugs_{") && fields.remove("_slugs_"));
    fields.extend(listed("Collections"));
    assert_eq!(fields, stored());
}

#[test]
fn the_page_lists_each_field_of_a_bucket() {
    let definition = fs::read_to_string(root().join("schema-runtime/src/definition/bucket.rs")).expect("a source");
    let is_stored = |line: &&str| line.contains(": &str = \"") || line.trim_start().starts_with("Span::");
    let names = definition.lines().filter(is_stored).filter_map(|line| line.split('"').nth(1));
    let names: BTreeSet<String> = names.filter(|name| !name.contains('.')).map(str::to_owned).collect();
    assert_eq!(listed("Fields of buckets"), names);
}
