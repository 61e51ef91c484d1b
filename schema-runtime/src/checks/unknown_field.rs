//! Rule: `unknown_field`
//!
//! An index, an order or a projection names fields that are there, as they are called in Rust; a path goes through embedded
//! structs (`addresses.city`).
//!
//! Source: an index on a field that no document has is accepted by MongoDB and serves nothing.

use crate::definition::{FieldDefinition, Message, ModelDefinition, ResolvedPath, resolve, str_eq};

#[track_caller]
pub(super) const fn enforce(model: &ModelDefinition, path: &[&str]) -> ResolvedPath {
    if let Some(found) = resolve(model.fields, path) {
        return found;
    }
    let mut message = Message::new().code(model.model).text(" has no field `");
    let mut at = 0;
    while at < path.len() {
        if at > 0 {
            message = message.text(".");
        }
        message = message.text(path[at]);
        at += 1;
    }
    message = message.text("`\nhelp: ");
    message = if path.len() > 1 { message.text("a path goes through embedded structs; ") } else { message };
    list_fields(message, model.model, model.fields).text("\nrule: unknown_field").fail()
}

/// The field of the model that a projection's field reads.
#[track_caller]
pub(super) const fn enforce_projection(
    model: &ModelDefinition,
    projection: &str,
    field: &FieldDefinition,
) -> &'static FieldDefinition {
    let mut at = 0;
    while at < model.fields.len() {
        if str_eq(model.fields[at].name, field.name) {
            return &model.fields[at];
        }
        at += 1;
    }
    let message = Message::new()
        .code(projection)
        .text(" reads ")
        .code(field.name)
        .text(", which ")
        .code(model.model)
        .text(" does not store\nhelp: ");
    list_fields(message, model.model, model.fields).text("\nrule: unknown_field").fail()
}

const fn list_fields(message: Message, owner: &str, fields: &[FieldDefinition]) -> Message {
    let mut message = message.text("the fields of ").code(owner).text(" are ");
    let mut at = 0;
    while at < fields.len() {
        if at > 0 {
            message = message.text(", ");
        }
        message = message.code(fields[at].rust_name);
        at += 1;
    }
    message
}
