//! The changes of fields.

mod judge;

use super::{Changes, Pair, pairs};
use crate::manage::{
    schema_diff::{ChangeKind, ChangePlace, Effect, SchemaChange},
    schema_file::{FieldEntry, ModelEntry},
};

pub(super) fn compare(of: &Changes<'_>, earlier: &ModelEntry, later: &ModelEntry, changes: &mut Vec<SchemaChange>) {
    let (words, effects) = judge::of_variants(earlier.variants.as_ref(), later.variants.as_ref());
    if !words.is_empty() {
        changes.push(of.change(ChangePlace::Collection, ChangeKind::Changed, words, effects));
    }
    for pair in pairs(&earlier.fields, &later.fields, key) {
        let (summary, effects) = match pair {
            Pair::Added(field) if !is_inside_of_new(field, earlier) => judge::of_added(field, earlier),
            Pair::Removed(field) if !is_inside_of_new(field, later) => judge::of_removed(field, later),
            Pair::Both(before, after) => judge::of_changed(before, after),
            // The fields inside of a new or removed field are part of the field.
            Pair::Added(_) | Pair::Removed(_) => continue,
        };
        changes.push(of.change(ChangePlace::Field(name(pair.part())), pair.kind(), summary, effects));
    }
}

/// Returns the effects of the fields of a model in a new collection.
pub(super) fn of_new_model(model: &ModelEntry) -> Vec<Effect> {
    model.fields.iter().filter_map(judge::of_derived_data).collect()
}

/// A field is known by the path and the variant.
fn key(field: &FieldEntry) -> impl PartialEq + use<> {
    (field.path.clone(), field.variant.clone())
}

/// Returns the name of a field for people: `Circle: shape.radius`.
fn name(field: &FieldEntry) -> String {
    match &field.variant {
        Some(variant) => format!("{variant}: {}", field.path),
        None => field.path.clone(),
    }
}

/// Returns whether the other version lacks the field around the field, or the variant of the field.
fn is_inside_of_new(field: &FieldEntry, other: &ModelEntry) -> bool {
    let has_variant = |variant: &String| {
        let of_fields = other.fields.iter().filter_map(|field| field.variants.as_ref());
        of_fields.chain(&other.variants).any(|variants| variants.names.contains(variant))
    };
    let has_field = |path: &str| other.fields.iter().any(|field| field.path == path);
    owner(&field.path).is_some_and(|owner| !has_field(owner))
        || field.variant.as_ref().is_some_and(|variant| !has_variant(variant))
}

/// Returns the path of the field around a field: `parts[]` for `parts[].name`, `parts` for `parts[]`.
pub(super) fn owner(path: &str) -> Option<&str> {
    let of_elements = path.strip_suffix("[]").or_else(|| path.strip_suffix("{}"));
    of_elements.or_else(|| path.rsplit_once('.').map(|(owner, _)| owner))
}
