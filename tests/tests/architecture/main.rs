//! The modules of both crates have the dependencies of ARCHITECTURE.md, and no circle. Comments are in plain English.

mod dependencies;
mod life_of_a_write;
mod modules;
mod names;
mod pages;
mod parameters;
mod paths;
mod prose;
mod reference;
mod stored_names;
mod table;
mod versions;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use modules::{Arrow, Modules};

/// The two crates, by their headings in ARCHITECTURE.md, with the modules that are grouped in a wing.
const CRATES: [(&str, &[&str]); 2] = [("schema-derive", &[]), ("schema-runtime", &["derived", "manage"])];

/// Modules with mutual names by nature: types of data, and traits with mutual associated types.
const MUTUAL: [&str; 2] = ["schema-runtime::definition", "schema-runtime::field"];

/// A module that is recursive by nature: the effects of a write may be deletes and updates of further documents, with
/// further effects.
const RECURSIVE: (&str, &str, &str) = ("schema-runtime::operation", "write_effects", "delete");

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_owned()
}

fn arrows_of(name: &str) -> Vec<Arrow> {
    Modules::of(&root().join(name).join("src")).arrows()
}

/// Returns the module of a row of the table: the first name of a path, in a wing the first two names.
fn row_of(path: &[String], wings: &[&str]) -> String {
    let names = if path.first().is_some_and(|first| wings.contains(&first.as_str())) { 2 } else { 1 };
    path.iter().take(names).map(String::as_str).collect::<Vec<_>>().join("::")
}

#[test]
fn the_table_of_dependencies_is_true() {
    let mut wrong = Vec::new();
    for (name, wings) in CRATES {
        let allowed = table::read(&root().join("ARCHITECTURE.md"), name);
        let mut seen: BTreeMap<(String, String), String> = BTreeMap::new();
        let modules: BTreeSet<String> =
            Modules::of(&root().join(name).join("src")).paths().map(|path| row_of(path, wings)).collect();
        for module in modules.iter().filter(|module| !module.is_empty() && !wings.contains(&module.as_str())) {
            if !allowed.contains_key(module) {
                wrong.push(format!("{name}: `{module}` has no row in ARCHITECTURE.md"));
            }
        }
        for row in allowed.keys().filter(|row| !modules.contains(*row)) {
            wrong.push(format!("{name}: the row of `{row}` is of no module"));
        }
        for arrow in arrows_of(name) {
            let (from, to) = (row_of(&arrow.from, wings), row_of(&arrow.to, wings));
            // After an import of a wing, the paths that begin with the wing are the uses.
            if from != to && !from.is_empty() && !to.is_empty() && !wings.contains(&to.as_str()) {
                seen.entry((from, to)).or_insert(arrow.place);
            }
        }
        for ((from, to), place) in &seen {
            let Some(uses) = allowed.get(from) else { continue };
            if !uses.contains("*") && !uses.contains(to) {
                wrong.push(format!("{name}: `{from}` may not use `{to}`, as {place} does"));
            }
        }
        for (from, uses) in &allowed {
            for to in uses.iter().filter(|to| *to != "*") {
                if !seen.contains_key(&(from.clone(), to.clone())) {
                    wrong.push(format!(
                        "{name}: `{from}` may use `{to}` and does not: the table is longer than the truth"
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// The rule holds among the modules inside each module, and at the top.
#[test]
fn no_modules_depend_on_each_other_in_a_circle() {
    let mut wrong = Vec::new();
    for (name, _) in CRATES {
        let mut inside: BTreeMap<Vec<String>, BTreeMap<String, BTreeMap<String, String>>> = BTreeMap::new();
        for Arrow { from, to, place } in arrows_of(name) {
            let shared = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
            let (Some(one), Some(other)) = (from.get(shared), to.get(shared)) else { continue };
            let uses = inside.entry(from[..shared].to_vec()).or_default().entry(one.clone()).or_default();
            uses.entry(other.clone()).or_insert(place);
        }
        for (parent, mut uses) in inside {
            let whole = [&[name.to_owned()], parent.as_slice()].concat().join("::");
            if let (true, Some(of_effects)) = (whole == RECURSIVE.0, uses.get_mut(RECURSIVE.1)) {
                of_effects.remove(RECURSIVE.2);
            }
            if let Some(circle) = circle_in(&uses).filter(|_| !MUTUAL.contains(&whole.as_str())) {
                wrong.push(format!("in {whole}: {circle}"));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Returns the arrows of the modules in a circle or on a way to a circle: removes, again and again, the modules that
/// use no remaining module.
fn circle_in(uses: &BTreeMap<String, BTreeMap<String, String>>) -> Option<String> {
    let mut left: BTreeSet<&String> = uses.keys().collect();
    loop {
        let in_circle = |module: &&String| uses[*module].keys().any(|used| left.contains(used));
        let next: BTreeSet<&String> = left.iter().copied().filter(in_circle).collect();
        if next.len() == left.len() {
            break;
        }
        left = next;
    }
    let arrows = left.iter().flat_map(|from| uses[*from].iter().map(move |(to, place)| (from, to, place)));
    let arrows = arrows.filter(|(_, to, _)| left.contains(to));
    let broken: Vec<String> = arrows.map(|(from, to, place)| format!("{from} -> {to} ({place})")).collect();
    (!broken.is_empty()).then(|| broken.join(", "))
}
