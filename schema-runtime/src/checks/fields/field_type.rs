//! Rule: `field_type`. The page is `guide/pages/rules/field_type.md`.

mod capacity;
mod copy;
mod form;

pub(in crate::checks) use capacity::{enforce_capacity, enforce_capacity_of_value};
pub(in crate::checks) use copy::enforce_copy;
use copy::{Misfit, strict_struct};
pub(in crate::checks) use form::enforce_form;

use crate::definition::{
    FieldDefinition, IndexKey, Kind, Literal, ModelDefinition, PartialClause, PartialOperator, Raw, ResolvedPath,
    Scalar, Shape, each, find_stored, refuse, same_variants, text,
};

/// Refuses a null with two meanings. serde reads an absent `Option` as `None`, and does not read an absent newtype over
/// an `Option` at all. For an `Option` in an `Option`, the inner `None` comes back as the outer `None`.
#[track_caller]
pub(in crate::checks) const fn enforce_one_null(field: &FieldDefinition) {
    if let (true, Kind::Opaque { raw: Some(_), .. }) = (field.shape.null_twice, field.shape.kind) {
        refuse! {
            "`{}` is an `Option` of a value of any form, and null is such a value: a stored null would be read as `None`",
                field.rust_name;
            help: "write the type without `Option`: a `Bson` or a `Value` of null says that there is no value"
        }
    }
    if field.shape.null_twice {
        refuse! {
            "`{}` has an `Option` in an `Option` or in a newtype: a null or an absent value would be read as a different value than was stored",
                field.rust_name;
            help: "write a single `Option`, as `Option<i32>`; with a newtype, write the `Option` around the newtype: `struct Name(String);` and `Option<Name>`"
        }
    }
}

#[track_caller]
pub(in crate::checks) const fn enforce_collection(field: &FieldDefinition) {
    if !field.shape.is_collection() && !matches!(field.shape.kind, Kind::Model { .. }) {
        refuse! {
            "`max_items` bounds arrays, sets and maps, and `{}` is {}", field.rust_name, kind(&field.shape);
            help: "remove `max_items`; a string is bounded by `max_len = N`"
        }
    }
}

#[track_caller]
pub(in crate::checks) const fn enforce_string(field: &str, shape: &Shape) {
    if !matches!(shape.kind, Kind::String { .. }) {
        refuse! {
            "`max_len` bounds strings, and `{}` is {}", field, kind(shape);
            help: "remove `max_len`; an array, a set or a map is bounded by `max_items = N`"
        }
    }
}

#[track_caller]
pub(in crate::checks) const fn enforce_raw(field: &str, shape: &Shape) {
    if !matches!(shape.kind, Kind::Opaque { raw: Some(_), .. }) {
        refuse! {
            "`max_bytes` bounds a `Bson`, a `Document` or a `serde_json::Value`, and `{}` is {}", field, kind(shape);
            help: "remove `max_bytes`; a string is bounded by `max_len = N`, an array, a set or a map by `max_items = N`, a value with its own serde implementation by `#[opaque(max_bytes = N)]`"
        }
    }
}

#[track_caller]
pub(in crate::checks) const fn enforce_geometry(key: &IndexKey, path: &ResolvedPath) {
    match innermost(&path.shape).kind {
        Kind::Document { .. } | Kind::Opaque { .. } => {}
        Kind::Scalar(scalar) if scalar.is_float() && path.shape.is_collection() => {}
        _ => refuse! {
            "a `geo` index is over GeoJSON or a pair of numbers, and `{}` is {}",
                key.path[key.path.len() - 1], kind(&path.shape);
            help: "store a struct with `type` and `coordinates`, or a `[f64; 2]` of longitude and latitude"
        },
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
        refuse! {
            "`{}` is `#[opaque(..)]`: the stored form of the value is unknown, and a literal may match no document",
                clause.path[clause.path.len() - 1];
            help: "write `exists(..)`; or store a type that this crate knows"
        }
    }
    if !fits {
        refuse! {
            "`{}` is {}, so that no document matches this clause",
                clause.path[clause.path.len() - 1], kind(&innermost(&path.shape));
            help: "compare the field with a literal of the same type, or write `exists(..)`"
        }
    }
}

#[track_caller]
pub(in crate::checks) const fn enforce_projection(
    model: &ModelDefinition,
    field: &FieldDefinition,
    source: &FieldDefinition,
) {
    if let Some(misfit) = misread(&field.shape, &source.shape) {
        let (model, name) = (model.model, source.name);
        match misfit {
            Misfit::Number(stored, read) => {
                let what = match source.shape.kind {
                    Kind::Scalar(_) => text!("`{}` as `{}`", name, stored),
                    _ => text!("`{}` inside of `{}`", stored, name),
                };
                refuse! {
                    "`{}` stores {}, and this field reads the number as `{}`, a type that cannot hold every stored number",
                        model, what.as_str(), read;
                    help: "give the field the same type as in `{}`", model
                }
            }
            Misfit::Converted if source.shape.stored_as.is_some() => refuse! {
                "`{}` declares the stored type of `{}`, and this field reads a value of an unknown type", model, name;
                help: "write `#[stored_as(..)]` above this field, too, with the type and the `#[serde(with = \"..\")]` of `{}`", model
            },
            Misfit::Converted => refuse! {
                "`{}` stores `{}` as serde's `with` writes the value, and this field reads another form", model, name;
                help: "write the same `#[serde(with = \"..\")]` on the field that reads the value"
            },
            Misfit::Form(narrow) => refuse! {
                "`{}` stores values in `{}` that the type `{}` cannot read", model, name, narrow;
                help: "give the field the type that it has in `{}`", model
            },
            Misfit::Strict(strict, unread) => strict_struct(
                text!("`{}` stores", model).as_str(),
                unread,
                text!(" inside of `{}`", name).as_str(),
                strict,
            ),
            _ => refuse! {
                "`{}` stores `{}` as {}, and this field reads {}", model, name, kind(&source.shape), kind(&field.shape);
                help: "give the field the same type as in `{}`", model
            },
        }
    }
    if source.shape.nullable && !field.shape.nullable {
        refuse! {
            "`{}` may be null in `{}`, and this field does not accept null", source.name, model.model;
            help: "make the field an `Option`"
        }
    }
}

/// Returns the reason why a value stored as `source` cannot be read as `view`. A struct may be read by another struct
/// with fewer fields.
const fn misread(view: &Shape, source: &Shape) -> Option<Misfit> {
    if let Some(narrow) = view.narrower_than(source) {
        return Some(Misfit::Form(narrow));
    }
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
            each!(for part in read {
                let misfit = match find_stored(stored, part.name) {
                    Some(field) if source.variants.is_some() && part.required && !field.required => Some(Misfit::Type),
                    Some(field) => misread(&part.shape, &field.shape),
                    None => Some(Misfit::Type),
                };
                if misfit.is_some() {
                    return misfit;
                }
            });
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
        Kind::Scalar(Scalar::DateTime) if shape.holds_days() => "a day without a time",
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
        Kind::Opaque { raw: Some(Raw::Document), .. } => "a document of any form",
        Kind::Opaque { raw: Some(Raw::Value), .. } => "a value of any form",
        Kind::Opaque { .. } => "an opaque value",
    }
}
