//! Every crate that users of this one get has a licence that both of its own allow: found by `cargo metadata`, without a network.

use cargo_metadata::{DependencyKind, MetadataCommand, Package, PackageId};
use spdx::{Expression, LicenseId, license_id};
use std::collections::{BTreeMap, BTreeSet};

/// Permissive licences, by their SPDX names.
const ALLOWED: [&str; 9] =
    ["MIT", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "Zlib", "Unicode-3.0", "CDLA-Permissive-2.0", "0BSD"];

fn allowed() -> BTreeSet<LicenseId> {
    ALLOWED.iter().map(|name| license_id(name).expect("an SPDX name")).collect()
}

fn is_allowed(licence: &str) -> bool {
    let allowed = allowed();
    let expression = Expression::parse_mode(licence, spdx::ParseMode::LAX).expect("an SPDX expression");
    expression.evaluate(|requirement| {
        requirement.exception().is_none() && requirement.license.id().is_some_and(|id| allowed.contains(&id))
    })
}

/// The packages that these lead to by normal and build dependencies.
fn reached<'m>(metadata: &'m cargo_metadata::Metadata, from: &[&str]) -> Vec<&'m Package> {
    let nodes = &metadata.resolve.as_ref().expect("a resolved graph").nodes;
    let nodes: BTreeMap<&PackageId, _> = nodes.iter().map(|node| (&node.id, node)).collect();
    let of_ours = metadata.packages.iter().filter(|package| from.contains(&package.name.as_str()));
    let mut open: Vec<&PackageId> = of_ours.map(|package| &package.id).collect();
    let mut seen: BTreeSet<&PackageId> = BTreeSet::new();
    while let Some(id) = open.pop() {
        if seen.insert(id) {
            let is_shipped = |dependency: &&cargo_metadata::NodeDep| {
                dependency.dep_kinds.iter().any(|kind| kind.kind != DependencyKind::Development)
            };
            open.extend(nodes[id].deps.iter().filter(is_shipped).map(|dependency| &dependency.pkg));
        }
    }
    metadata.packages.iter().filter(|package| seen.contains(&package.id)).collect()
}

#[test]
fn every_dependency_has_a_licence_that_this_one_may_be_shipped_with() {
    let command = MetadataCommand::new().other_options(["--locked".to_owned(), "--offline".to_owned()]).exec();
    let metadata = command.expect("cargo metadata");
    let packages = reached(&metadata, &["schema-runtime", "schema-derive"]);
    assert!(packages.len() > 50, "the driver alone has more: {}", packages.len());
    let refused: Vec<String> = packages
        .iter()
        .filter(|package| !package.license.as_deref().is_some_and(is_allowed))
        .map(|package| format!("{} {}: {:?}", package.name, package.version, package.license))
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
