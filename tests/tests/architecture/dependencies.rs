//! The crates that a user of the default features builds: a feature that is off brings no crate.

use std::process::Command;

use super::root;

/// The direct dependencies of `schema-runtime` with the default features.
const DIRECT: [&str; 15] = [
    "base64",
    "crc32fast",
    "derive-where",
    "futures-util",
    "hashbrown",
    "lru",
    "mongodb",
    "regex",
    "regex-syntax",
    "schema-derive",
    "serde",
    "slug",
    "thiserror",
    "tokio",
    "tracing",
];

#[test]
fn the_default_features_bring_a_fixed_list_of_crates() {
    let arguments = ["tree", "--package", "schema-runtime", "--edges", "normal", "--prefix", "none", "--depth", "1"];
    let output = Command::new(env!("CARGO")).args(arguments).arg("--locked").current_dir(root()).output();
    let output = output.expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let named = text.lines().filter_map(|line| line.split_whitespace().next());
    let direct: Vec<&str> = named.filter(|name| *name != "schema-runtime").collect();
    assert_eq!(direct, DIRECT, "a new dependency is a decision: a feature that is off brings no crate");
}
