//! The check that a value has the BSON type that `#[stored_as(..)]` declares. Pure.

use mongodb::bson::{Bson, spec::BinarySubtype};

use crate::definition::{Integer, Kind, Scalar, Shape};

/// A declared BSON type, and the type of a value that serde wrote. The names are words of MongoDB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mismatch {
    pub(crate) declared: &'static str,
    pub(crate) written: &'static str,
}

/// Compares a value in the stored form with the declared type. A shape without a declaration takes every value.
pub(super) fn check(shape: &Shape, value: &Bson) -> Result<(), Mismatch> {
    if shape.stored_as.is_none() || fits(shape, value) {
        return Ok(());
    }
    Err(Mismatch { declared: type_of_shape(shape), written: type_of_value(shape, value) })
}

fn fits(shape: &Shape, value: &Bson) -> bool {
    match (shape.kind, value) {
        (_, Bson::Null) => shape.nullable,
        (Kind::String { .. }, Bson::String(_)) => true,
        (Kind::Enum(names), Bson::String(name)) => names.contains(&name.as_str()),
        (Kind::Scalar(scalar), value) => fits_scalar(scalar, shape.integer, value),
        _ => false,
    }
}

fn fits_scalar(scalar: Scalar, integer: Option<Integer>, value: &Bson) -> bool {
    match (scalar, value) {
        (Scalar::ObjectId, Bson::ObjectId(_))
        | (Scalar::DateTime, Bson::DateTime(_))
        | (Scalar::Decimal128, Bson::Decimal128(_))
        | (Scalar::Binary, Bson::Binary(_))
        | (Scalar::Timestamp, Bson::Timestamp(_))
        | (Scalar::Double | Scalar::Single, Bson::Double(_))
        | (Scalar::Bool, Bson::Boolean(_)) => true,
        (Scalar::Uuid, Bson::Binary(binary)) => binary.subtype == BinarySubtype::Uuid && binary.bytes.len() == 16,
        (Scalar::Integer, Bson::Int32(number)) => is_in_range(integer, i64::from(*number)),
        (Scalar::Integer, Bson::Int64(number)) => is_in_range(integer, *number),
        _ => false,
    }
}

fn is_in_range(integer: Option<Integer>, number: i64) -> bool {
    integer.is_none_or(|integer| (integer.least..=integer.greatest).contains(&number))
}

/// Returns the name of the declared type; of an integer, the name of the type in Rust.
fn type_of_shape(shape: &Shape) -> &'static str {
    match shape.kind {
        Kind::Scalar(Scalar::ObjectId) => "objectId",
        Kind::Scalar(Scalar::DateTime) => "date",
        Kind::Scalar(Scalar::Decimal128) => "decimal",
        Kind::Scalar(Scalar::Binary) => "binData",
        Kind::Scalar(Scalar::Uuid) => "a UUID in binData",
        Kind::Scalar(Scalar::Timestamp) => "timestamp",
        Kind::Scalar(Scalar::Integer) => shape.integer.map_or("long", |integer| integer.name),
        Kind::Scalar(Scalar::Double | Scalar::Single) => "double",
        Kind::Scalar(Scalar::Bool) => "bool",
        Kind::String { .. } => "string",
        Kind::Enum(_) => "the name of a variant",
        Kind::Array { .. } => "array",
        Kind::Map { .. } | Kind::Document { .. } | Kind::Model { .. } => "object",
        Kind::Opaque { .. } => "an opaque value",
    }
}

fn type_of_value(shape: &Shape, value: &Bson) -> &'static str {
    match value {
        Bson::Int32(_) | Bson::Int64(_) if matches!(shape.kind, Kind::Scalar(Scalar::Integer)) => {
            "an integer out of the range"
        }
        Bson::String(_) if matches!(shape.kind, Kind::Enum(_)) => "another string",
        Bson::Double(_) => "double",
        Bson::String(_) => "string",
        Bson::Array(_) => "array",
        Bson::Document(_) => "object",
        Bson::Boolean(_) => "bool",
        Bson::Null => "null",
        Bson::Int32(_) => "int",
        Bson::Int64(_) => "long",
        Bson::Timestamp(_) => "timestamp",
        Bson::Binary(_) => "binData",
        Bson::ObjectId(_) => "objectId",
        Bson::DateTime(_) => "date",
        Bson::Decimal128(_) => "decimal",
        Bson::RegularExpression(_) => "regex",
        _ => "another type",
    }
}
