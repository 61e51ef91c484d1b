//! Rule: `document_too_deep`
//!
//! This half counts the levels of structs, arrays and maps inside each other.

use crate::definition::{FieldDefinition, Kind, Message, ModelDefinition, Shape};

/// The most levels, the document itself among them.
const MOST: u64 = 100;

#[track_caller]
pub(super) const fn enforce(model: &ModelDefinition) {
    let depth = document(model.fields);
    if depth > MOST {
        Message::new()
            .text("a document of ")
            .code(model.model)
            .text(" nests ")
            .number(depth)
            .text(" levels, and MongoDB's limit is ")
            .number(MOST)
            .text("\nhelp: give an inner struct a collection of its own and refer to it with a `Ref<..>`\nrule: document_too_deep")
            .fail()
    }
}

const fn document(fields: &[FieldDefinition]) -> u64 {
    let mut deepest = 0;
    let mut at = 0;
    while at < fields.len() {
        let depth = value(&fields[at].shape);
        if depth > deepest {
            deepest = depth;
        }
        at += 1;
    }
    1 + deepest
}

const fn value(shape: &Shape) -> u64 {
    match shape.kind {
        Kind::Array { items, .. } => 1 + value(items),
        Kind::Map { values, .. } => 1 + value(values),
        Kind::Document { fields, .. } => document(fields),
        _ => 0,
    }
}
