//! Rule: `aggregate_unwind`
//!
//! - A field of an element has many values in one document: `unwind(lines)` makes each element a document of its own.
//! - `unwind` names an array. Two arrays beside each other would make a document of every pair of elements.
//!
//! Source: MongoDB, "`$unwind`"; `$sum` of an array in a `$group` is 0.

use super::source::is_unwound;
use crate::definition::{Kind, ModelDefinition, dotted, refuse, resolve, str_eq};

/// Judges a path to a field.
#[track_caller]
pub(in crate::checks) const fn enforce(
    model: &ModelDefinition,
    unwind: &'static [&'static [&'static str]],
    path: &[&str],
) {
    let mut length = 1;
    while length <= path.len() {
        let (before, _) = path.split_at(length);
        if let Some(found) = resolve(model.fields, before)
            && matches!(found.shape.kind, Kind::Array { .. })
            && !is_unwound(unwind, before)
        {
            let array = dotted(before);
            refuse! {
                "`{}.{}` is an array, and each document has many values", model.model, array.as_str();
                help: "add `unwind({})` to `#[aggregate(..)]`: each element then counts as a document", array.as_str()
            }
        }
        length += 1;
    }
}

/// Judges array number `at`.
#[track_caller]
pub(in crate::checks) const fn enforce_array(
    model: &ModelDefinition,
    unwind: &'static [&'static [&'static str]],
    at: usize,
) {
    let path = unwind[at];
    super::aggregate_field::enforce(model, path);
    let Some(found) = resolve(model.fields, path) else { return };
    if !matches!(found.shape.kind, Kind::Array { .. }) {
        refuse! {
            "`{}.{}` is no array", model.model, dotted(path).as_str();
            help: "remove `unwind({})`: each document has a single value", dotted(path).as_str()
        }
    }
    if at > 0 && !begins_with(path, unwind[at - 1]) {
        refuse! {
            "`{}` and `{}` are two arrays beside each other, and each pair of elements would count as a document",
                dotted(unwind[at - 1]).as_str(), dotted(path).as_str();
            help: "write an aggregation for each array"
        }
    }
}

const fn begins_with(path: &[&str], start: &[&str]) -> bool {
    if path.len() <= start.len() {
        return false;
    }
    let mut at = 0;
    while at < start.len() {
        if !str_eq(path[at], start[at]) {
            return false;
        }
        at += 1;
    }
    true
}
