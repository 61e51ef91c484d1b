//! Every crate that users of this crate get has a licence that both licences of this crate allow. The test uses
//! `cargo metadata`, without a network.

use std::{
    collections::{BTreeMap, BTreeSet},
    process::Command,
};

use serde_json::Value;
use spdx::{Expression, ParseMode};

/// Permissive licences, by SPDX name.
const ALLOWED: [&str; 10] = [
    "MIT",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "Zlib",
    "Unicode-3.0",
    "CDLA-Permissive-2.0",
    "0BSD",
    "CC0-1.0",
];

fn is_allowed(licence: &str) -> bool {
    let expression = Expression::parse_mode(licence, ParseMode::LAX).expect("an SPDX expression");
    expression.evaluate(|requirement| ALLOWED.contains(&requirement.to_string().as_str()))
}

fn output(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Returns the packages of the workspace and of this platform; the packages of further platforms are not downloaded.
fn metadata() -> Value {
    let compiler = output("rustc", &["-vV"]);
    let host = compiler.lines().find_map(|line| line.strip_prefix("host: ")).expect("the host's line");
    let arguments = ["metadata", "--format-version=1", "--locked", "--offline", "--filter-platform", host];
    serde_json::from_str(&output(env!("CARGO"), &arguments)).expect("JSON")
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value[key].as_array().expect("a list")
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

/// Returns the `id`s of the packages that are reachable from the given packages by normal and build dependencies.
fn reached<'m>(metadata: &'m Value, from: &[&str]) -> BTreeSet<&'m str> {
    let nodes: BTreeMap<&str, &Value> =
        list(&metadata["resolve"], "nodes").iter().map(|node| (text(node, "id"), node)).collect();
    let ours = list(metadata, "packages").iter().filter(|package| from.contains(&text(package, "name")));
    let mut open: Vec<&str> = ours.map(|package| text(package, "id")).collect();
    let mut seen = BTreeSet::new();
    while let Some(id) = open.pop() {
        if seen.insert(id) {
            let is_shipped =
                |dependency: &&Value| list(dependency, "dep_kinds").iter().any(|kind| kind["kind"] != "dev");
            open.extend(list(nodes[id], "deps").iter().filter(is_shipped).map(|dependency| text(dependency, "pkg")));
        }
    }
    seen
}

#[test]
fn every_dependency_has_a_licence_that_this_one_may_be_shipped_with() {
    let metadata = metadata();
    let reached = reached(&metadata, &["schema-runtime", "schema-derive"]);
    assert!(reached.len() > 50, "the driver alone has more: {}", reached.len());
    let packages = list(&metadata, "packages").iter().filter(|package| reached.contains(text(package, "id")));
    let refused: Vec<String> = packages
        .filter(|package| !package["license"].as_str().is_some_and(is_allowed))
        .map(|package| format!("{} {}: {}", text(package, "name"), text(package, "version"), package["license"]))
        .collect();
    assert!(refused.is_empty(), "\n{}", refused.join("\n"));
}

#[test]
fn a_licence_that_is_not_allowed_is_refused() {
    assert!(is_allowed("MIT OR GPL-3.0-only"));
    assert!(is_allowed("MIT/Apache-2.0"));
    assert!(!is_allowed("GPL-3.0-only"));
    assert!(!is_allowed("MIT AND GPL-3.0-only"));
}
