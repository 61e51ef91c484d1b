//! Rule: `reserved_field`
//!
//! The half of the rule that judges a model whose copies are inside of its embedded structs, and models with a delete rule (`on_delete`):
//! the fields `_deleting` and `_touched` of the deleted model, and `_unchecked` of the referring model. A slug with `keep_old` is kept in a
//! field that begins with `_slugs_`.

use crate::definition::{FieldDefinition, Message, ModelDefinition, copy_inside, str_eq};

#[track_caller]
pub(in crate::checks) const fn enforce(model: &ModelDefinition) {
    if model.whole {
        enforce_delete_rules(model);
    }
    enforce_slugs(model);
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

#[track_caller]
const fn enforce_slugs(model: &ModelDefinition) {
    let Some(slug) = model.keeps_slugs() else { return };
    let mut at = 0;
    while at < model.fields.len() {
        let field = &model.fields[at];
        if matches!(field.name.as_bytes(), [b'_', b's', b'l', b'u', b'g', b's', b'_', ..]) {
            Message::new()
                .field(model.model, &[field.rust_name])
                .text(" is stored as ")
                .code(field.name)
                .text(", a name that this crate uses itself, since ")
                .code(slug.rust_name)
                .text(" keeps earlier slugs\nhelp: give it another name with `#[serde(rename = \"..\")]`\nrule: reserved_field")
                .fail()
        }
        at += 1;
    }
}

#[track_caller]
const fn enforce_delete_rules(model: &ModelDefinition) {
    let (is_deleted, refers) = (deletes_by_rule(model), refers_by_rule(model));
    let mut at = 0;
    while at < model.fields.len() {
        let field = &model.fields[at];
        let of_parent = is_deleted && (str_eq(field.name, "_deleting") || str_eq(field.name, "_touched"));
        if of_parent || refers && str_eq(field.name, "_unchecked") {
            Message::new()
                .field(model.model, &[field.rust_name])
                .text(" is stored as ")
                .code(field.name)
                .text(", a name that this crate uses itself, since a delete rule (`on_delete`) is of these documents")
                .text("\nhelp: give it another name with `#[serde(rename = \"..\")]`\nrule: reserved_field")
                .fail()
        }
        at += 1;
    }
}

/// True when a delete of a document of the model acts on referring documents.
const fn deletes_by_rule(model: &ModelDefinition) -> bool {
    let mut at = 0;
    while at < model.inverses.len() {
        if let Some(rule) = model.inverses[at].on_delete
            && rule.acts()
        {
            return true;
        }
        at += 1;
    }
    false
}

/// True when a delete of a referenced document acts on the documents of the model.
const fn refers_by_rule(model: &ModelDefinition) -> bool {
    let mut at = 0;
    while at < model.relations.len() {
        if let Some(rule) = model.relations[at].on_delete
            && rule.acts()
            && !model.relations[at].is_mirrored()
        {
            return true;
        }
        at += 1;
    }
    false
}

#[track_caller]
pub(in crate::checks) const fn enforce_strict(model: &ModelDefinition) {
    if let Some(holds) = field_with_copies(model) {
        Message::new()
            .code(model.model)
            .text(" holds copies in ")
            .code(holds.rust_name)
            .text(", so this crate stores fields of its own beside them, and `deny_unknown_fields` refuses to read those\nhelp: remove `deny_unknown_fields`\nrule: reserved_field")
            .fail()
    }
    if let Some(slug) = model.keeps_slugs() {
        Message::new()
            .code(slug.rust_name)
            .text(" keeps earlier slugs in a field of this crate's own, and `deny_unknown_fields` refuses to read that\nhelp: remove `deny_unknown_fields`, or `keep_old`\nrule: reserved_field")
            .fail()
    }
    if model.whole && (deletes_by_rule(model) || refers_by_rule(model)) {
        Message::new()
            .code(model.model)
            .text(" has a delete rule (`on_delete`), so this crate stores fields of its own in its documents, and `deny_unknown_fields` refuses to read those\nhelp: remove `deny_unknown_fields`\nrule: reserved_field")
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

/// Returns whether this crate stores a field of this name beside copies.
const fn is_reserved(name: &str) -> bool {
    str_eq(name, "_v")
        || matches!(
            name.as_bytes(),
            [b'_', b'v' | b'f', b'_', ..]
                | [b'_', b's', b'y', b'n', b'c', b'_', ..]
                | [b'_', b'l', b'o', b'o', b'k', b'_', ..]
                | [b'_', b'r', b'o', b'l', b'l', b'u', b'p', b'_', ..]
        )
}
