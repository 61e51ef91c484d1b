//! Rule: `unknown_field`. The page is `guide/pages/rules/unknown_field.md`.
//!
//! The half of the rule that knows the fields of embedded structs and of other models.

use super::field_type::innermost;
use crate::definition::{
    CopyDefinition, FieldDefinition, Kind, ModelDefinition, RelationDefinition, ResolvedPath, Shape, Text, dotted,
    each, find, find_flat, find_relation, find_stored, last_segment, refuse, resolve, str_eq, text,
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
    let (owner, fields, missing) = deepest(model, path);
    let stored = dotted(path);
    if missing == path.len()
        && let [first, ..] = fields
    {
        refuse! {
            "`{}.{}` is flat: the fields of `{}` are stored, and no value `{}`",
                model.model, stored.as_str(), owner, stored.as_str();
            help: "name a field of `{}`, as `{}.{}`", owner, stored.as_str(), first.rust_path().as_str()
        }
    }
    if missing < path.len() && is_ambiguous(fields, path[missing]) {
        refuse! {
            "`{}` has several fields `{}`: variants of `{}` store different fields as `{}`",
                model.model, stored.as_str(), owner, path[missing];
            help: "give each field a separate name, or give all fields the same type and bounds; write an index of a single variant in the variant"
        }
    }
    refuse! {
        "`{}` has no field `{}`", model.model, stored.as_str();
        help: "{}{}",
            if path.len() > 1 { "a path goes through embedded structs; " } else { "" },
            list_fields(owner, fields).as_str()
    }
}

/// Returns whether several fields have this name.
const fn is_ambiguous(fields: &[FieldDefinition], name: &str) -> bool {
    let mut found = 0;
    each!(for field in fields {
        if field.flat.is_none() && str_eq(field.rust_name, name) {
            found += 1;
        }
    });
    found > 1
}

/// Returns the struct in which a name of a path is not found, the fields of the struct, and the position of the name. A
/// path that ends at a flat field gives the flat struct and the end of the path.
const fn deepest(model: &ModelDefinition, path: &[&str]) -> (&'static str, &'static [FieldDefinition], usize) {
    let (mut owner, mut fields, mut at) = (model.model, model.fields, 0);
    while at < path.len() {
        if let Some(flat) = find_flat(fields, path[at])
            && let Kind::Document { name, fields: inner, .. } = flat.shape.kind
        {
            (owner, fields, at) = (name, inner, at + 1);
            continue;
        }
        let Some(field) = find(fields, path[at]) else { break };
        let Kind::Document { name, fields: inner, .. } = innermost(&field.shape).kind else { break };
        if at + 1 == path.len() {
            break;
        }
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
            refuse! {
                "`{}` reads `{}`, and not every variant of `{}` has this field", projection, field.name, model.model;
                help: "make the field an `Option`"
            }
        }
        return source;
    }
    if let Some(renamed) = find(model.fields, field.rust_name) {
        refuse! {
            "`{}` reads `{}`, and `{}` stores `{}` as `{}`",
                projection, field.name, model.model, renamed.rust_name, renamed.name;
            help: "write `#[serde(rename = \"{}\")]` on `{}.{}`", renamed.name, projection, field.rust_name
        }
    }
    refuse! {
        "`{}` reads `{}`, a field that `{}` does not store", projection, field.name, model.model;
        help: "{}", list_fields(model.model, model.fields).as_str()
    }
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
            let why = match is_struct {
                true => "is an extended reference, and a copy outside of the reference needs a bare `Ref`",
                false => "is a list, and a copy is of one source",
            };
            let help = match reference.shape.kind {
                Kind::Document { name, .. } => text!("put the copy into `{}`", name),
                _ => text!("begin `from` with a field that is a `Ref<{}>`", source.model),
            };
            refuse! {
                "`{}` {}", copy.reference, why;
                help: "{}", help.as_str()
            }
        }
    }
    if let Some(target) = copy.behind() {
        let ([reference], path) = copy.from.split_at(1) else { return enforce(source, copy.from) };
        let target = last_segment(target.name);
        refuse! {
            "`{}.{}` is a reference, and a copy reads only the document that the copy's own reference names",
                source.model, reference;
            help: "store `#[relation(one_to_many, parent_ref)] {}: Ref<{}>` here, and write `from = {}.{}`",
                reference, target, reference, dotted(path).as_str()
        }
    }
    let path = enforce(source, copy.from);
    if path.array_at > 0 && path.array_at < copy.from.len() {
        let (array, _) = copy.from.split_at(path.array_at);
        refuse! {
            "`{}.{}` is an array, and a copy has a single value", source.model, dotted(array).as_str();
            help: "copy the whole array, or a field outside of the array"
        }
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
        (Some(by), None) => refuse! {
            "`{}` holds bare references, and a bare reference has no field `{}`", field.rust_name, by;
            help: "remove `by`"
        },
        (Some(by), Some(reference)) if !str_eq(by, reference) => {
            let what = match innermost(&field.shape).kind {
                Kind::Document { name, .. } => name,
                _ => field.rust_name,
            };
            refuse! {
                "`{}` refers by the field `{}`, not by `{}`", what, reference, by;
                help: "write `by = {}`", reference
            }
        }
        _ => {}
    }
}

/// Refuses a relation over extended references without a `by`.
#[track_caller]
pub(in crate::checks) const fn enforce_without_by(relations: &'static [RelationDefinition], field: &FieldDefinition) {
    let Some(relation) = find_relation(relations, field.rust_name) else { return };
    if let (None, Some(reference)) = (relation.by, relation.reference) {
        let relation = match field.tree {
            Some(_) => text!("tree(ancestors, by = {}", reference),
            None => {
                let (cardinality, storage) = (relation.cardinality.word(), relation.storage.word());
                text!("relation({}, {}, by = {}, ..", cardinality, storage, reference)
            }
        };
        refuse! {
            "`{}` holds extended references, and the relation does not name the field of the reference",
                field.rust_name;
            help: "write `#[{})]`", relation.as_str()
        }
    }
}

/// Returns the fields of a struct in words.
pub(in crate::checks) const fn list_fields(owner: &str, fields: &[FieldDefinition]) -> Text {
    let (mut text, mut separator) = (text!("the fields of `{}` are ", owner), "");
    each!(for field in fields {
        text.push(text!("{}`{}`", separator, field.rust_path().as_str()).as_str());
        separator = ", ";
    });
    text
}
