//! Schema files and the changes between two files. Each judgement of a change is compared with a server: the earlier
//! version of a model reads documents of the later version and the reverse, and writes under the later validator.

mod both_versions;
mod changes;
mod derived;
mod file;
mod plans;
mod strict;

use schema_runtime::schema_diff::{ChangePlace, Effect, SchemaDiff};

/// Returns the effects of the change of a field; empty for a safe change, and for a field that does not change.
fn effects_of(diff: &SchemaDiff, path: &str) -> Vec<Effect> {
    let place = ChangePlace::Field(path.to_owned());
    let changes = diff.changes().iter().filter(|change| change.place == place);
    changes.flat_map(|change| change.effects.iter().copied()).collect()
}

/// Compares a text with a file of the repository, and writes the file when `SCHEMA_TESTS_BLESS` is set.
fn assert_written(path: &str, text: &str) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    if std::env::var_os("SCHEMA_TESTS_BLESS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    // The features of other crates decide the order of the names in a JSON Schema.
    let parsed = |text: &str| serde_json::from_str::<serde_json::Value>(text).ok();
    if path.ends_with("schema-file-1.json") && parsed(&written).is_some() && parsed(&written) == parsed(text) {
        return;
    }
    assert_eq!(written, text, "{}: write the file with SCHEMA_TESTS_BLESS=1", path.display());
}
