//! The page on leaving again: the commands of the page name each field and each collection that the crate stores.

use std::{fs, path::Path};

use regex::Regex;

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the names in the first column of a table of `docs/stored-format.md`.
fn names(heading: &str) -> Vec<String> {
    let page = read("docs/stored-format.md");
    let (_, section) = page.split_once(&format!("\n## {heading}\n")).expect("the heading");
    let section = section.split("\n## ").next().unwrap_or_default();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `"));
    rows.map(|row| row.split_once('`').expect("the name ends").0.to_owned()).collect()
}

#[test]
fn the_pattern_of_the_page_matches_each_stored_field() {
    let page = read("guide/pages/start/leaving.md");
    let (_, rest) = page.split_once("const ours = /").expect("the pattern");
    let (pattern, _) = rest.split_once("/\n").expect("the end of the pattern");
    let pattern = Regex::new(pattern).expect("a pattern");
    let names = names("Fields of documents");
    assert!(names.len() > 10, "{names:?}");
    let place = Regex::new("<[a-z]+>").expect("a pattern");
    for name in names {
        assert!(pattern.is_match(&place.replace(&name, "books_author")), "{name}");
        let begin = name.split('<').next().unwrap_or_default();
        assert!(page.contains(&format!("`{begin}")), "the table of the page has no `{name}`");
    }
    for other in ["_id", "__v", "title", "_value"] {
        assert!(!pattern.is_match(other), "{other}");
    }
}

#[test]
fn the_page_names_each_collection() {
    let page = read("guide/pages/start/leaving.md");
    for name in names("Collections") {
        assert!(page.contains(&format!("\"{name}\"")), "{name}");
    }
}
