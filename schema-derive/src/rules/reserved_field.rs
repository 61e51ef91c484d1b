//! Rule: `reserved_field`
//!
//! Beside copies, and where something is kept of children, this crate stores fields of its own: `_v`, `_v_..`, `_f_..`, `_sync_..`, `_look_..`,
//! `_rollup_..`, `_pending_..` and `_gone`; where there is a delete rule `_deleting`, `_touched` and `_unchecked`. So a model whose fields are copied or that holds copies,
//! a struct with copies, a model that keeps something of its children, and these children have no field stored under such a name,
//! and serde's `deny_unknown_fields` would refuse to read it.

use crate::{errors::Errors, model::Record};

const ID: &str = "reserved_field";

/// The names that this crate stores beside copies.
const RESERVED: [&str; 2] = ["_v", "_gone"];

/// How the names begin that this crate stores for each reference, and for each relation whose children are rolled up.
const PREFIXES: [&str; 6] = ["_v_", "_f_", "_sync_", "_look_", "_pending_", "_rollup_"];

pub(super) fn enforce(record: &Record, errors: &Errors) {
    let has_rollups = record.fields.iter().any(|field| field.rollup.is_some());
    let why = match (record.has_copies(), record.is_copied(), has_rollups) {
        (true, ..) => "has copies",
        (_, true, _) => "has fields that are copied",
        (.., true) => "has a `#[subset(..)]` or a `#[computed(..)]`",
        _ => return,
    };
    if record.strict {
        errors.rule(
            &record.ident,
            ID,
            &format!("`{}` {why}, beside which this crate stores fields of its own, and `deny_unknown_fields` refuses to read those", record.ident),
            "remove `deny_unknown_fields`",
        );
    }
    for field in record.judged() {
        let name = field.name.as_str();
        if RESERVED.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix)) {
            errors.rule(
                &field.ident,
                ID,
                &format!("`{}` {why}, beside which this crate stores a field `{name}` of its own", record.ident),
                "give it another name with `#[serde(rename = \"..\")]`",
            );
        }
    }
}
