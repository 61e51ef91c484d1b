//! Rule: `unknown_field`
//!
//! The half of the rule that knows the fields of embedded structs and of other models.

use super::field_type::innermost;
use crate::definition::{
    CopyDefinition, FieldDefinition, Kind, Message, ModelDefinition, RelationDefinition, ResolvedPath, Shape, find,
    find_relation, find_stored, last_segment, resolve, str_eq,
};

#[track_caller]
pub(in crate::checks) const fn enforce(model: &ModelDefinition, path: &[&str]) -> ResolvedPath {
    enforce_in(model, model.fields, path)
}

/// Resolves a path among these fields of the model.
#[track_caller]
pub(in crate::checks) const fn enforce_in(
    model: &ModelDefinition,
    fields: &'static [FieldDefinition],
    path: &[&str],
) -> ResolvedPath {
    match resolve(fields, path) {
        Some(found) => found,
        None => fail(model, path),
    }
}

#[track_caller]
const fn fail(model: &ModelDefinition, path: &[&str]) -> ! {
    let mut message = Message::new().code(model.model).text(" has no field `");
    let mut at = 0;
    while at < path.len() {
        if at > 0 {
            message = message.text(".");
        }
        message = message.text(path[at]);
        at += 1;
    }
    let (owner, fields, missing) = deepest(model, path);
    if missing < path.len() && is_ambiguous(fields, path[missing]) {
        message
            .text("` alone: variants of ")
            .code(owner)
            .text(" store different fields as ")
            .code(path[missing])
            .text("\nhelp: give each a name of its own, or all the same type and bounds; of a model's variant, write the index in the variant")
            .text("\nrule: unknown_field")
            .fail()
    }
    message = message.text("`\nhelp: ");
    message = if path.len() > 1 { message.text("a path goes through embedded structs; ") } else { message };
    list_fields(message, owner, fields).text("\nrule: unknown_field").fail()
}

/// Returns whether several fields have this name.
const fn is_ambiguous(fields: &[FieldDefinition], name: &str) -> bool {
    let (mut found, mut at) = (0, 0);
    while at < fields.len() {
        if str_eq(fields[at].rust_name, name) {
            found += 1;
        }
        at += 1;
    }
    found > 1
}

/// Returns the struct in which a name of a path is not found, the fields of the struct, and the position of the name.
const fn deepest(model: &ModelDefinition, path: &[&str]) -> (&'static str, &'static [FieldDefinition], usize) {
    let (mut owner, mut fields, mut at) = (model.model, model.fields, 0);
    while at < path.len() {
        let Some(field) = find(fields, path[at]) else { break };
        let Kind::Document { name, fields: inner, .. } = innermost(&field.shape).kind else { break };
        (owner, fields, at) = (name, inner, at + 1);
    }
    (owner, fields, at)
}

/// Returns the field of the model that a projection's field reads.
#[track_caller]
pub(in crate::checks) const fn enforce_projection(
    model: &ModelDefinition,
    projection: &str,
    field: &FieldDefinition,
) -> &'static FieldDefinition {
    if let Some(source) = find_stored(model.fields, field.name) {
        if model.variants.is_some() && !source.required && field.required {
            Message::new()
                .code(projection)
                .text(" reads ")
                .code(field.name)
                .text(", which not every variant of ")
                .code(model.model)
                .text(" has\nhelp: make the field an `Option`\nrule: unknown_field")
                .fail()
        }
        return source;
    }
    let message = Message::new().code(projection).text(" reads ").code(field.name);
    if let Some(renamed) = find(model.fields, field.rust_name) {
        message
            .text(", and ")
            .code(model.model)
            .text(" stores ")
            .code(renamed.rust_name)
            .text(" as ")
            .code(renamed.name)
            .texts(&["\nhelp: write `#[serde(rename = \"", renamed.name, "\")]` on "])
            .field(projection, &[field.rust_name])
            .text("\nrule: unknown_field")
            .fail()
    }
    let message = message.text(", which ").code(model.model).text(" does not store\nhelp: ");
    list_fields(message, model.model, model.fields).text("\nrule: unknown_field").fail()
}

/// Resolves the path of a copy in the source.
#[track_caller]
pub(in crate::checks) const fn enforce_copy(
    fields: &'static [FieldDefinition],
    copy: &CopyDefinition,
    source: &ModelDefinition,
) -> ResolvedPath {
    if let Some(reference) = find(fields, copy.reference) {
        let is_struct = is_other_struct(&reference.shape, source);
        if reference.shape.is_collection() || is_struct {
            Message::new()
                .code(copy.reference)
                .text(if is_struct {
                    " is an extended reference, and a copy outside of it needs a bare `Ref`"
                } else {
                    " is a list, and a copy is of one source"
                })
                .text("\nhelp: ")
                .message(&match reference.shape.kind {
                    Kind::Document { name, .. } => Message::new().text("put the copy into ").code(name),
                    _ => Message::new()
                        .text("begin `from` with a field that holds one `Ref<")
                        .text(source.model)
                        .text(">`"),
                })
                .text("\nrule: unknown_field")
                .fail()
        }
    }
    if let Some(target) = copy.behind() {
        let ([reference], path) = copy.from.split_at(1) else { return enforce(source, copy.from) };
        let target = last_segment(target.name);
        Message::new()
            .field(source.model, &[reference])
            .text(" is a reference, and a copy is of a field of the document that the copy's own reference names")
            .texts(&[
                "\nhelp: store `#[relation(one_to_many, parent_ref)] ",
                reference,
                ": Ref<",
                target,
                ">` here, and write `from = ",
            ])
            .texts(&[reference, "."])
            .path(path)
            .text("`\nrule: unknown_field")
            .fail()
    }
    let path = enforce(source, copy.from);
    if path.array_at > 0 && path.array_at < copy.from.len() {
        let (array, _) = copy.from.split_at(path.array_at);
        Message::new()
            .field(source.model, array)
            .text(" is an array, and a copy is of one value\nhelp: copy the array as a whole, or a field outside of it\nrule: unknown_field")
            .fail()
    }
    path
}

/// Returns whether the shape is an embedded struct, but not the struct of the source's `_id`.
const fn is_other_struct(shape: &Shape, source: &ModelDefinition) -> bool {
    let Kind::Document { name, .. } = shape.kind else { return false };
    match find_stored(source.fields, "_id") {
        Some(FieldDefinition { shape: Shape { kind: Kind::Document { name: id, .. }, .. }, .. }) => !str_eq(id, name),
        _ => true,
    }
}

/// Returns the field that holds the copies, as the source names the field.
#[track_caller]
pub(in crate::checks) const fn enforce_holder(holder: &ModelDefinition, field: &str) -> &'static FieldDefinition {
    match find(holder.fields, field) {
        Some(field) => field,
        None => fail(holder, &[field]),
    }
}

/// Compares the `by` of a relation with the stored references.
#[track_caller]
pub(in crate::checks) const fn enforce_by(relations: &'static [RelationDefinition], field: &FieldDefinition) {
    let Some(relation) = find_relation(relations, field.rust_name) else { return };
    match (relation.by, relation.reference) {
        (Some(by), None) => Message::new()
            .code(field.rust_name)
            .text(" holds bare references, which have no field ")
            .code(by)
            .text("\nhelp: remove `by`\nrule: unknown_field")
            .fail(),
        (Some(by), Some(reference)) if !str_eq(by, reference) => {
            let message = match innermost(&field.shape).kind {
                Kind::Document { name, .. } => Message::new().code(name),
                _ => Message::new().code(field.rust_name),
            };
            message
                .text(" refers by its field ")
                .code(reference)
                .text(", not by ")
                .code(by)
                .text("\nhelp: write `by = ")
                .text(reference)
                .text("`\nrule: unknown_field")
                .fail()
        }
        _ => {}
    }
}

/// Refuses a relation over extended references without a `by`.
#[track_caller]
pub(in crate::checks) const fn enforce_without_by(relations: &'static [RelationDefinition], field: &FieldDefinition) {
    let Some(relation) = find_relation(relations, field.rust_name) else { return };
    if let (None, Some(reference)) = (relation.by, relation.reference) {
        let message = Message::new().code(field.rust_name).text(
            " holds extended references, and the relation does not say which of their fields is the reference\nhelp: write `#[",
        );
        let message = match field.tree {
            Some(_) => message.text("tree(ancestors"),
            None => {
                message.text("relation(").text(relation.cardinality.word()).text(", ").text(relation.storage.word())
            }
        };
        let rest = if field.tree.is_some() { ")]`\nrule: unknown_field" } else { ", ..)]`\nrule: unknown_field" };
        message.text(", by = ").text(reference).text(rest).fail()
    }
}

pub(in crate::checks) const fn list_fields(message: Message, owner: &str, fields: &[FieldDefinition]) -> Message {
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
