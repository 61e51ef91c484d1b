//! Rule: `copy_of_copy`. The page is `guide/pages/rules/copy_of_copy.md`.
//!
//! The half of the rule that sees the declarations of the source about the copied field.

use crate::checks::fields::hidden_field;
use crate::definition::{
    CopyDefinition, CopyMode, FieldDefinition, Kind, ModelDefinition, copy_inside, dotted, each, find, last_segment,
    refuse, str_eq,
};

#[track_caller]
pub(in crate::checks) const fn enforce(source: &ModelDefinition, copy: &CopyDefinition) {
    if let Some(field) = find(source.fields, copy.from[0])
        && str_eq(field.name, "_id")
    {
        refuse! {
            "`{}.{}` is the `_id`, and `{}` holds the `_id` already", source.model, dotted(copy.from).as_str(), copy.reference;
            help: "remove this field: a reference is stored as the bare `_id`"
        }
    }
    hidden_field::enforce_copy(source, copy);
    if !copy.tracks_source() {
        return;
    }
    if matches!(copy.mode, CopyMode::Synced) && is_rolled_up(source, copy.from[0]) {
        refuse! {
            "`{}.{}` is updated by the writes of the children, and a write of a child updates no copies of this field",
                source.model, dotted(copy.from).as_str();
            help: "read the field from the source; or add `snapshot`: the copy then keeps the value from the write of the reference; or add `external`: `Schema::worker` then updates the copy"
        }
    }
    if let Some(earlier) = copy_in(source.fields, source.copies, copy.from) {
        let origin = last_segment(earlier.source.target.name);
        refuse! {
            "`{}.{}` is itself a copy of `{}.{}`, and a write of the source does not update a copy of a copy",
                source.model, dotted(copy.from).as_str(), origin, dotted(earlier.from).as_str();
            help: "copy the original field, with a `Ref<{}>` beside this field; or add `snapshot`: the copy then keeps the value from the write of the reference",
                origin
        }
    }
}

const fn is_rolled_up(source: &ModelDefinition, field: &str) -> bool {
    each!(for rollup in source.rollups {
        if str_eq(rollup.field, field) {
            return true;
        }
    });
    false
}

/// Returns the copy that a path leads through or to, if the copy follows its source.
pub(in crate::checks) const fn copy_in(
    fields: &'static [FieldDefinition],
    copies: &'static [CopyDefinition],
    path: &[&str],
) -> Option<&'static CopyDefinition> {
    let (mut fields, mut copies) = (fields, copies);
    let mut depth = 0;
    while depth < path.len() {
        each!(for copy in copies {
            if str_eq(copy.field, path[depth]) && copy.tracks_source() {
                return Some(copy);
            }
        });
        let Some(field) = find(fields, path[depth]) else { return None };
        depth += 1;
        if depth == path.len() {
            let mut number = 0;
            while let Some(place) = copy_inside(&field.shape, number) {
                if place.copy.tracks_source() {
                    return Some(place.copy);
                }
                number += 1;
            }
            return None;
        }
        match field.shape.kind {
            Kind::Document { fields: inner, copies: inside, .. } => (fields, copies) = (inner, inside),
            _ => return None,
        }
    }
    None
}
