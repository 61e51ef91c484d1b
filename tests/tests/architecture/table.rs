//! The tables of ARCHITECTURE.md: a row for each module, with the modules that the module may use.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

/// Returns the modules of a crate with the allowed modules of each, from the table under the heading `` ## `crate` ``:
/// the names in backticks of the last column. `*` stands for everything.
pub(crate) fn read(file: &Path, name: &str) -> BTreeMap<String, BTreeSet<String>> {
    let text = fs::read_to_string(file).expect("ARCHITECTURE.md");
    let heading = format!("## `{name}`");
    let section = text.lines().skip_while(|line| *line != heading).skip(1);
    let rows = section.take_while(|line| !line.starts_with("## ")).filter(|line| line.starts_with("| `"));
    let table: BTreeMap<_, _> = rows
        .map(|row| {
            let columns: Vec<&str> = row.trim_matches('|').split('|').collect();
            let names = |column: &str| -> BTreeSet<String> {
                column.split('`').skip(1).step_by(2).map(str::to_owned).collect()
            };
            let module = names(columns[0]).into_iter().next().expect("a module in backticks");
            (module, names(columns.last().expect("a last column")))
        })
        .collect();
    assert!(!table.is_empty(), "ARCHITECTURE.md has no table under `{heading}`");
    table
}
