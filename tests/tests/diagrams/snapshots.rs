//! The stored diagrams of two schemas. `SCHEMA_TESTS_BLESS=1` writes the diagrams.

use std::path::Path;

use schema_runtime::{
    describe::{DescribeFormat, describe},
    diagram::DiagramFormat,
};

fn assert_stored(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diagrams/snapshots").join(name);
    if std::env::var_os("SCHEMA_TESTS_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(stored, text, "{}: write the file with SCHEMA_TESTS_BLESS=1", path.display());
}

#[test]
fn the_diagrams_are_the_stored_diagrams() {
    for (name, schema) in super::schemas().into_iter().filter(|(name, _)| ["logs", "copies"].contains(name)) {
        let file = schema.snapshot().unwrap();
        let formats = [(DiagramFormat::Mermaid, "mmd"), (DiagramFormat::Dot, "dot"), (DiagramFormat::Svg, "svg")];
        for (format, end) in formats {
            assert_stored(&format!("{name}.{end}"), &super::drawn(&file, format));
        }
        assert_stored(&format!("{name}.md"), &describe(&file, DescribeFormat::Markdown));
    }
}
