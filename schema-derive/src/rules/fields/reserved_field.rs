//! Rule: `reserved_field`. The page is `guide/pages/rules/reserved_field.md`.

use crate::{errors::Errors, model::Record};

const ID: &str = "reserved_field";

/// The names that this crate stores beside copies.
const RESERVED: [&str; 1] = ["_v"];

/// The names that this crate stores in a tree.
const OF_TREES: [&str; 2] = ["_tree", "_moving"];

/// The beginnings of the names that this crate stores for each reference, and for each relation with rolled-up
/// children.
const PREFIXES: [&str; 5] = ["_v_", "_f_", "_sync_", "_look_", "_rollup_"];

pub(in crate::rules) fn enforce(record: &Record, errors: &Errors) {
    let has_rollups = record.fields.iter().any(|field| field.rollup.is_some());
    let has_tree = record.fields.iter().any(|field| field.tree.is_some());
    let why = match (record.has_copies(), record.is_copied(), has_rollups, has_tree) {
        (true, ..) => "has copies",
        (_, true, ..) => "has fields that are copied",
        (_, _, true, _) => "has a `#[subset(..)]` or a `#[computed(..)]`",
        (.., true) => "has a tree",
        _ => return,
    };
    if record.strict {
        errors.rule(
            &record.ident,
            ID,
            &format!("`{}` {why}, so this crate stores additional fields, and `deny_unknown_fields` refuses to read additional fields", record.ident),
            "remove `deny_unknown_fields`",
        );
    }
    for field in record.judged() {
        let name = field.name.as_str();
        let is_of_tree = has_tree && OF_TREES.contains(&name);
        if is_of_tree || RESERVED.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix)) {
            errors.rule(
                &field.ident,
                ID,
                &format!("`{}` {why}, so the stored name `{name}` is reserved for a field of this crate", record.ident),
                "give the field another name with `#[serde(rename = \"..\")]`",
            );
        }
    }
}
