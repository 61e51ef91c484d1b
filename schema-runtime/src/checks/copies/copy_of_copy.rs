//! Rule: `copy_of_copy`
//!
//! The half of the rule that sees the declarations of the source about the copied field.

use crate::definition::{
    CopyDefinition, CopyMode, FieldDefinition, Kind, Message, ModelDefinition, copy_inside, find, last_segment, str_eq,
};

#[track_caller]
pub(in crate::checks) const fn enforce(source: &ModelDefinition, copy: &CopyDefinition) {
    if let Some(field) = find(source.fields, copy.from[0])
        && str_eq(field.name, "_id")
    {
        Message::new()
            .field(source.model, copy.from)
            .text(" is the `_id`, which ")
            .code(copy.reference)
            .text(
                " holds already\nhelp: remove this field: a reference is stored as the bare `_id`\nrule: copy_of_copy",
            )
            .fail()
    }
    if !copy.tracks_source() {
        return;
    }
    if matches!(copy.mode, CopyMode::Synced) && is_rolled_up(source, copy.from[0]) {
        Message::new()
            .field(source.model, copy.from)
            .text(" is maintained by the writes of its children, and they update no copies of it\nhelp: read it where it is; or add `snapshot`: this copy then keeps the value that it is written with; or `external`: `Schema::watch` then updates it\nrule: copy_of_copy")
            .fail()
    }
    if let Some(earlier) = copy_in(source.fields, source.copies, copy.from) {
        let origin = last_segment(earlier.source.target.name);
        Message::new()
            .field(source.model, copy.from)
            .text(" is itself a copy of ")
            .field(origin, earlier.from)
            .text(", and a write there does not update a copy of a copy\nhelp: copy it from where it is written, with a `Ref<")
            .text(origin)
            .text(">` beside this field; or add `snapshot`: this copy then keeps the value that it is written with\nrule: copy_of_copy")
            .fail()
    }
}

const fn is_rolled_up(source: &ModelDefinition, field: &str) -> bool {
    let mut at = 0;
    while at < source.rollups.len() {
        if str_eq(source.rollups[at].field, field) {
            return true;
        }
        at += 1;
    }
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
        let mut at = 0;
        while at < copies.len() {
            if str_eq(copies[at].field, path[depth]) && copies[at].tracks_source() {
                return Some(&copies[at]);
            }
            at += 1;
        }
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
