//! Rule: `embedded_model`
//!
//! A struct with a collection is not embedded in another struct: documents that can stand alone are referred to. Store a `Ref<..>`, or
//! derive `Embed` on a struct with the fields that are read together.
//!
//! Source: Zola's rule 2 ("needing to access an object on its own is a compelling reason not to embed it").

use crate::definition::{FieldDefinition, Kind, Message, Shape};

#[track_caller]
pub(in crate::checks) const fn enforce(owner: &str, field: &FieldDefinition) {
    if let Some(model) = embedded(&field.shape) {
        Message::new()
            .text("`")
            .text(owner)
            .text(".")
            .text(field.rust_name)
            .text("` embeds ")
            .code(model)
            .text(", which is a model with a collection of its own\nhelp: refer to it with a `Ref<")
            .text(model)
            .text(">`: `child_refs` for an array of them, `parent_ref` for one; or derive `Embed` in place of `Model` on it\n")
            .text("rule: embedded_model")
            .fail()
    }
}

const fn embedded(shape: &Shape) -> Option<&'static str> {
    match shape.kind {
        Kind::Model { name } => Some(name),
        Kind::Array { items, .. } => embedded(items),
        Kind::Map { values, .. } => embedded(values),
        Kind::Document { fields, judged: false, .. } => {
            let mut at = 0;
            while at < fields.len() {
                if let Some(name) = embedded(&fields[at].shape) {
                    return Some(name);
                }
                at += 1;
            }
            None
        }
        _ => None,
    }
}
