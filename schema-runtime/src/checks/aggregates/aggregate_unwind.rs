//! Rule: `aggregate_unwind`. The page is `guide/pages/rules/aggregate_unwind.md`.

use super::source::is_unwound;
use crate::definition::{Kind, ModelDefinition, dotted, refuse, resolve, str_eq};

/// Judges a path to a field.
#[track_caller]
pub(in crate::checks) const fn enforce(
    model: &ModelDefinition,
    unwind: &'static [&'static [&'static str]],
    path: &[&str],
) {
    if let Some(before) = first_array(model, unwind, path) {
        let array = dotted(before);
        refuse! {
            "`{}.{}` is an array, and each document has many values", model.model, array.as_str();
            help: "add `unwind({})` to `#[aggregate(..)]`: each element then counts as a document", array.as_str()
        }
    }
}

/// Returns the first array on a path, the end included, that is not unwound.
const fn first_array<'p, 'n>(
    model: &ModelDefinition,
    unwind: &'static [&'static [&'static str]],
    path: &'p [&'n str],
) -> Option<&'p [&'n str]> {
    let mut length = 1;
    while length <= path.len() {
        let (before, _) = path.split_at(length);
        if let Some(found) = resolve(model.fields, before)
            && matches!(found.shape.kind, Kind::Array { .. })
            && !is_unwound(unwind, before)
        {
            return Some(before);
        }
        length += 1;
    }
    None
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
    let (around, _) = path.split_at(path.len() - 1);
    if let Some(before) = first_array(model, unwind, around) {
        refuse! {
            "`{}.{}` is an array, and the server unwinds no array inside of another array",
                model.model, dotted(before).as_str();
            help: "write `unwind({}, {})`", dotted(before).as_str(), dotted(path).as_str()
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

/// Requires that a path of a facet leads through no array.
#[track_caller]
pub(super) const fn enforce_facet(model: &ModelDefinition, path: &[&str]) {
    if facet_depth(model, path) > 0 {
        refuse! {
            "`{}.{}` is in an array, and each document has many values", model.model, dotted(path).as_str();
            help: "count the values with `count_by` of a single array, or derive `Aggregate` with `unwind(..)`"
        }
    }
}

/// Returns the number of arrays that a path leads through, with an array at the end.
pub(super) const fn facet_depth(model: &ModelDefinition, path: &[&str]) -> usize {
    let (mut length, mut depth) = (1, 0);
    while length <= path.len() {
        let (before, _) = path.split_at(length);
        if let Some(found) = resolve(model.fields, before) {
            let mut shape = found.shape;
            while let Kind::Array { items, .. } = shape.kind {
                depth += 1;
                shape = *items;
            }
        }
        length += 1;
    }
    depth
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
