//! Rule: `reserved_field`
//!
//! This half judges a model whose copies are inside of its embedded structs.

use crate::definition::{FieldDefinition, Message, ModelDefinition, copy_inside, str_eq};

/// The names that this crate stores beside copies.
const RESERVED: [&str; 2] = ["_v", "_gone"];

#[track_caller]
pub(super) const fn enforce(model: &ModelDefinition) {
    let Some(holds) = field_with_copies(model) else { return };
    let mut at = 0;
    while at < model.fields.len() {
        let field = &model.fields[at];
        if is_reserved(field.name) {
            Message::new()
                .field(model.model, &[field.rust_name])
                .text(" is stored as ")
                .code(field.name)
                .text(", a name that this crate uses itself, since ")
                .code(holds.rust_name)
                .text(
                    " holds copies\nhelp: give it another name with `#[serde(rename = \"..\")]`\nrule: reserved_field",
                )
                .fail()
        }
        at += 1;
    }
}

/// Of a model of whose documents another keeps something.
#[track_caller]
pub(super) const fn enforce_child(child: &ModelDefinition, parent: &str) {
    let mut at = 0;
    while at < child.fields.len() {
        let field = &child.fields[at];
        if is_reserved(field.name) {
            Message::new()
                .field(child.model, &[field.rust_name])
                .text(" is stored as ")
                .code(field.name)
                .text(", a name that this crate uses itself, since ")
                .code(parent)
                .text(" has a `#[subset(..)]` or a `#[computed(..)]` of these documents\nhelp: give it another name with `#[serde(rename = \"..\")]`\nrule: reserved_field")
                .fail()
        }
        at += 1;
    }
}

#[track_caller]
pub(super) const fn enforce_strict(model: &ModelDefinition) {
    if let Some(holds) = field_with_copies(model) {
        Message::new()
            .code(model.model)
            .text(" holds copies in ")
            .code(holds.rust_name)
            .text(", so this crate stores fields of its own beside them, and `deny_unknown_fields` refuses to read those\nhelp: remove `deny_unknown_fields`\nrule: reserved_field")
            .fail()
    }
}

const fn field_with_copies(model: &ModelDefinition) -> Option<&'static FieldDefinition> {
    let mut at = 0;
    while at < model.fields.len() {
        if copy_inside(&model.fields[at].shape, 0).is_some() {
            return Some(&model.fields[at]);
        }
        at += 1;
    }
    None
}

const fn is_reserved(name: &str) -> bool {
    let mut at = 0;
    while at < RESERVED.len() {
        if str_eq(name, RESERVED[at]) {
            return true;
        }
        at += 1;
    }
    matches!(
        name.as_bytes(),
        [b'_', b'v' | b'f', b'_', ..]
            | [b'_', b's', b'y', b'n', b'c', b'_', ..]
            | [b'_', b'l', b'o', b'o', b'k', b'_', ..]
            | [b'_', b'p', b'e', b'n', b'd', b'i', b'n', b'g', b'_', ..]
            | [b'_', b'r', b'o', b'l', b'l', b'u', b'p', b'_', ..]
    )
}
