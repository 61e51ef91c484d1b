//! The changes of bounds and value rules, and of rules about several fields.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Changes;
use crate::manage::{
    schema_diff::{ChangeKind, ChangePlace, Effect, SchemaChange},
    schema_file::{FieldEntry, ModelEntry},
};

/// The rules whose limit is a greatest value.
const UPPER: [&str; 6] = ["max", "less_than", "max_len", "max_items", "max_bytes", "greatest"];

/// The rules whose limit is a least value.
const LOWER: [&str; 6] = ["min", "more_than", "min_len", "min_items", "least_items", "least"];

/// The rules that a type of Rust checks when a document is read.
const OF_TYPES: [&str; 4] = ["max_items", "least_items", "greatest", "least"];

/// Adds the differences of the rules of a field in words, and the effects.
pub(super) fn compare(earlier: &FieldEntry, later: &FieldEntry, words: &mut Vec<String>, effects: &mut Vec<Effect>) {
    let names: BTreeSet<&String> = earlier.rules.keys().chain(later.rules.keys()).collect();
    for name in names {
        let (before, after) = (earlier.rules.get(name), later.rules.get(name));
        if before == after {
            continue;
        }
        words.push(format!("{name} {} -> {}", text(before), text(after)));
        // Several rules of one name have a number behind the name.
        let name = name.split(' ').next().unwrap_or_default();
        let (is_tighter, is_looser) = match (before, after) {
            (None, _) => (true, false),
            (_, None) => (false, true),
            (Some(before), Some(after)) if UPPER.contains(&name) => (is_less(after, before), is_less(before, after)),
            (Some(before), Some(after)) if LOWER.contains(&name) => (is_less(before, after), is_less(after, before)),
            (Some(Value::Array(before)), Some(Value::Array(after))) if name == "one_of" => {
                (before.iter().any(|value| !after.contains(value)), after.iter().any(|value| !before.contains(value)))
            }
            _ => (true, true),
        };
        let is_of_type = OF_TYPES.contains(&name);
        if is_tighter && name != "with" {
            effects.extend([Effect::Backfill, Effect::OldWritersRefused]);
            effects.extend(is_of_type.then_some(Effect::NewReadersFail));
        }
        if is_looser && is_of_type {
            effects.push(Effect::OldReadersFail);
        }
    }
}

/// Adds the changes of the rules about several fields.
pub(super) fn compare_documents(
    of: &Changes<'_>,
    earlier: &ModelEntry,
    later: &ModelEntry,
    changes: &mut Vec<SchemaChange>,
) {
    let beyond = |one: &ModelEntry, other: &ModelEntry| -> Vec<String> {
        one.rules.iter().filter(|rule| !other.rules.contains(rule)).map(ToString::to_string).collect()
    };
    for (kind, rules, effects) in [
        (ChangeKind::Added, beyond(later, earlier), &[Effect::Backfill, Effect::OldWritersRefused][..]),
        (ChangeKind::Removed, beyond(earlier, later), &[]),
    ] {
        for rule in rules {
            changes.push(of.change(ChangePlace::Rules, kind, rule, effects.iter().copied()));
        }
    }
}

/// Returns whether the server deletes documents sooner than before.
pub(super) fn is_sooner(before: Option<&Value>, after: Option<&Value>) -> bool {
    match (before, after) {
        (None, Some(_)) => true,
        (Some(before), Some(after)) => is_less(after, before),
        (_, None) => false,
    }
}

fn is_less(one: &Value, other: &Value) -> bool {
    match (one.as_i64(), other.as_i64()) {
        (Some(one), Some(other)) => one < other,
        _ => matches!((one.as_f64(), other.as_f64()), (Some(one), Some(other)) if one < other),
    }
}

/// Returns a limit in words.
pub(super) fn text(value: Option<&Value>) -> String {
    value.map_or_else(|| "none".to_owned(), ToString::to_string)
}
