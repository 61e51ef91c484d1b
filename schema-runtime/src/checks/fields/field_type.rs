//! Rule: `field_type`
//!
//! A field has the type that its attribute, an index's clause or a projection expects:
//!
//! - A `max_items` is for arrays, sets and maps, a `max_len` for strings.
//! - A literal of `partial(..)` has the field's type.
//! - A projection reads a field as the model stores the field.
//! - A copy can hold every value of its source: the type, all numbers of the type, the variants, the bounds, and null where the source or
//!   the reference may be empty. A field in which a parent keeps values of its children can hold the same.
//! - A struct is sent and copied whole, so that a struct with `deny_unknown_fields` reads only another struct with the same fields.
//! - A null has one meaning: no `Option` is in an `Option` or in a newtype.
//!
//! Source: MongoDB compares and orders values by type; a clause of another type matches nothing.

mod capacity;
mod copy;

pub(in crate::checks) use capacity::{enforce_capacity, enforce_capacity_of_value};
pub(in crate::checks) use copy::enforce_copy;
use copy::{Misfit, refusal};

use crate::definition::{
    FieldDefinition, IndexKey, Kind, Literal, Message, ModelDefinition, PartialClause, PartialOperator, ResolvedPath,
    Scalar, Shape, find_stored, same_variants,
};

/// Refuses a null with two meanings. serde reads an absent `Option` as `None`, and does not read an absent newtype over an `Option` at all.
/// For an `Option` in an `Option`, the inner `None` comes back as the outer `None`.
#[track_caller]
pub(in crate::checks) const fn enforce_one_null(field: &FieldDefinition) {
    if field.shape.null_twice {
        Message::new()
            .code(field.rust_name)
            .text(" has an `Option` in an `Option` or in a newtype: a null, or nothing, would be read as another value than was stored")
            .text("\nhelp: write one `Option`, as `Option<i32>`; of a newtype, around it: `struct Name(String);` and `Option<Name>`\nrule: field_type")
            .fail()
    }
}

#[track_caller]
pub(in crate::checks) const fn enforce_collection(field: &FieldDefinition) {
    if !field.shape.is_collection() && !matches!(field.shape.kind, Kind::Model { .. }) {
        Message::new()
            .text("`max_items` bounds arrays, sets and maps, and ")
            .code(field.rust_name)
            .text(" is ")
            .text(kind(&field.shape))
            .text("\nhelp: remove `max_items`; a string is bounded by `max_len = N`\nrule: field_type")
            .fail()
    }
}

#[track_caller]
pub(in crate::checks) const fn enforce_string(field: &str, shape: &Shape) {
    if !matches!(shape.kind, Kind::String { .. }) {
        Message::new()
            .text("`max_len` bounds strings, and ")
            .code(field)
            .text(" is ")
            .text(kind(shape))
            .text("\nhelp: remove `max_len`; an array, a set or a map is bounded by `max_items = N`\nrule: field_type")
            .fail()
    }
}

#[track_caller]
pub(in crate::checks) const fn enforce_geometry(key: &IndexKey, path: &ResolvedPath) {
    match innermost(&path.shape).kind {
        Kind::Document { .. } | Kind::Opaque { .. } => {}
        Kind::Scalar(scalar) if scalar.is_float() && path.shape.is_collection() => {}
        _ => Message::new()
            .text("a `geo` index is over GeoJSON or a pair of numbers, and ")
            .code(key.path[key.path.len() - 1])
            .text(" is ")
            .text(kind(&path.shape))
            .text("\nhelp: store a struct with `type` and `coordinates`, or a `[f64; 2]` of longitude and latitude\nrule: field_type")
            .fail(),
    }
}

#[track_caller]
pub(in crate::checks) const fn enforce_literal(clause: &PartialClause, path: &ResolvedPath) {
    if matches!(clause.operator, PartialOperator::Exists) {
        return;
    }
    let fits = match (innermost(&path.shape).kind, clause.value) {
        (Kind::Scalar(scalar), Literal::Bool(_)) => matches!(scalar, Scalar::Bool),
        (Kind::Scalar(scalar), Literal::Integer(_)) => scalar.is_number(),
        (Kind::Scalar(scalar), Literal::Double(_)) => scalar.is_fraction(),
        (Kind::String { .. } | Kind::Enum(_), Literal::String(_)) => true,
        _ => false,
    };
    if matches!(innermost(&path.shape).kind, Kind::Opaque { .. }) {
        Message::new()
            .code(clause.path[clause.path.len() - 1])
            .text(" is `#[opaque(..)]`: nothing is known of how serde writes a value, so that a literal may match no document\nhelp: write `exists(..)`; or store a type that is known\nrule: field_type")
            .fail()
    }
    if !fits {
        Message::new()
            .code(clause.path[clause.path.len() - 1])
            .text(" is ")
            .text(kind(&innermost(&path.shape)))
            .text(", so that no document matches this clause\nhelp: compare it with a literal of its own type, or write `exists(..)`\nrule: field_type")
            .fail()
    }
}

#[track_caller]
pub(in crate::checks) const fn enforce_projection(
    model: &ModelDefinition,
    field: &FieldDefinition,
    source: &FieldDefinition,
) {
    if let Some(misfit) = misread(&field.shape, &source.shape) {
        let message = Message::new().code(model.model).text(" stores ");
        let message = match misfit {
            Misfit::Number(stored, read) => {
                let message = match source.shape.kind {
                    Kind::Scalar(_) => message.code(source.name).text(" as ").code(stored),
                    _ => message.code(stored).text(" inside of ").code(source.name),
                };
                message.text(", and this reads it as ").code(read).text(", which cannot hold every such number")
            }
            Misfit::Converted => {
                message
                    .code(source.name)
                    .text(" as serde's `with` writes the value, and this reads another form\nhelp: write the same `#[serde(with = \"..\")]` on the field that reads the value\nrule: field_type")
                    .fail()
            }
            Misfit::Strict(strict, unread) => {
                let place = Message::new().text(" inside of ").code(source.name);
                message.message(&refusal(unread, &place, strict)).fail()
            }
            _ => message
                .code(source.name)
                .text(" as ")
                .text(kind(&source.shape))
                .text(", and this reads it as ")
                .text(kind(&field.shape)),
        };
        message
            .text("\nhelp: give the field the type that it has in ")
            .code(model.model)
            .text("\nrule: field_type")
            .fail()
    }
    if source.shape.nullable && !field.shape.nullable {
        Message::new()
            .code(source.name)
            .text(" may be null in ")
            .code(model.model)
            .text(", and this field does not accept null\nhelp: make the field an `Option`\nrule: field_type")
            .fail()
    }
}

/// Returns the reason why a value stored as `source` cannot be read as `view`. A struct may be read by another struct with fewer fields.
const fn misread(view: &Shape, source: &Shape) -> Option<Misfit> {
    match (view.kind, source.kind) {
        (Kind::Scalar(_), Kind::Scalar(_)) => copy::scalar_misfit(view, source),
        (Kind::String { .. }, Kind::String { .. } | Kind::Enum(_)) => None,
        (Kind::Opaque { converted: view, .. }, Kind::Opaque { converted: source, .. }) if view == source => None,
        (Kind::Opaque { converted: true, .. }, _) | (_, Kind::Opaque { converted: true, .. }) => {
            Some(Misfit::Converted)
        }
        (Kind::Opaque { .. }, _) | (_, Kind::Opaque { .. }) => None,
        (Kind::Enum(view), Kind::Enum(source)) if view.len() == source.len() => None,
        (Kind::Array { items: view, .. }, Kind::Array { items: source, .. })
        | (Kind::Map { values: view, .. }, Kind::Map { values: source, .. }) => misread(view, source),
        // An enum is read by an enum with the same variants, and by a struct of the fields that all variants have.
        (Kind::Document { .. }, Kind::Document { .. }) if view.variants.is_some() => {
            if same_variants(view.variants, source.variants) { None } else { Some(Misfit::Type) }
        }
        (Kind::Document { fields: read, .. }, Kind::Document { fields: stored, .. }) => {
            let mut at = 0;
            while at < read.len() {
                let misfit = match find_stored(stored, read[at].name) {
                    Some(field) if source.variants.is_some() && read[at].required && !field.required => {
                        Some(Misfit::Type)
                    }
                    Some(field) => misread(&read[at].shape, &field.shape),
                    None => Some(Misfit::Type),
                };
                if misfit.is_some() {
                    return misfit;
                }
                at += 1;
            }
            copy::unread(view, source)
        }
        _ => Some(Misfit::Type),
    }
}

/// Returns the shape inside of all arrays, or the shape itself.
pub(in crate::checks) const fn innermost(shape: &Shape) -> Shape {
    match shape.kind {
        Kind::Array { items, .. } => innermost(items),
        _ => *shape,
    }
}

/// Returns a shape in words, for `.. is ..`.
pub(in crate::checks) const fn kind(shape: &Shape) -> &'static str {
    match shape.kind {
        Kind::Scalar(Scalar::ObjectId) => "an ObjectId",
        Kind::Scalar(Scalar::DateTime) => "a date",
        Kind::Scalar(Scalar::Decimal128) => "a decimal",
        Kind::Scalar(Scalar::Binary) => "binary data",
        Kind::Scalar(Scalar::Uuid) => "a UUID",
        Kind::Scalar(Scalar::Timestamp) => "a timestamp",
        Kind::Scalar(Scalar::Integer) => "an integer",
        Kind::Scalar(Scalar::Double) => "a floating-point number",
        Kind::Scalar(Scalar::Single) => "an `f32`",
        Kind::Scalar(Scalar::Bool) => "a bool",
        Kind::String { .. } => "a string",
        Kind::Enum(_) => "an enum",
        Kind::Array { .. } => "an array",
        Kind::Map { .. } => "a map",
        Kind::Document { .. } if shape.variants.is_some() => "an enum that holds data",
        Kind::Document { .. } => "an embedded struct",
        Kind::Model { .. } => "a model",
        Kind::Opaque { .. } => "an opaque value",
    }
}
