//! The page about the life of a write names items that exist.

use std::fs;

use crate::root;

#[test]
fn each_item_of_the_page_is_in_its_file() {
    let page = fs::read_to_string(root().join("docs/life-of-a-write.md")).expect("the page");
    let mut count = 0;
    for name in page.split('`').skip(1).step_by(2).filter(|name| name.contains(".rs::")) {
        let (file, item) = name.split_once("::").expect("a file and an item");
        let text = fs::read_to_string(root().join("schema-runtime/src").join(file));
        let text = text.unwrap_or_else(|_| panic!("{file} is not there"));
        let kinds = ["fn", "struct", "enum", "trait", "const"];
        let is_there = kinds.iter().any(|kind| {
            text.match_indices(&format!("{kind} {item}"))
                .any(|(at, found)| text[at + found.len()..].starts_with(['(', '<', ' ', ':', ';', '{']))
        });
        assert!(is_there, "{file} has no `{item}`");
        count += 1;
    }
    assert!(count > 30, "{count}");
}
