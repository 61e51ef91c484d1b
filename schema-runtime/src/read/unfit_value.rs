//! Finds the value of a document that does not fit the type of the field. serde keeps the values of flat structs in
//! memory, and reports a value that does not fit after the end of the document, without the place of the value.

use mongodb::bson::{RawBsonRef, RawDocument};

use crate::{
    codec::{as_document, elements},
    definition::{FieldDefinition, Kind, Scalar, Shape},
};

/// Returns the path of the first value in a flat field that does not fit the type of the field.
pub(super) fn in_flat_fields(fields: &[FieldDefinition], document: &RawDocument) -> Option<String> {
    if fields.iter().all(|field| field.flat.is_none()) {
        return None;
    }
    first(document, |name| {
        fields.iter().find(|field| field.flat.is_some() && field.name == name).map(|field| &field.shape)
    })
}

/// Returns the path of the first value of a document that does not fit; `shape_of` gives the shape of a named value.
fn first<'a>(document: &RawDocument, shape_of: impl Fn(&str) -> Option<&'a Shape>) -> Option<String> {
    elements(document).find_map(|element| {
        let (shape, value) = (shape_of(element.name())?, element.value()?);
        let path = inside(shape, value)?;
        Some(if path.is_empty() { element.name().to_owned() } else { format!("{}.{path}", element.name()) })
    })
}

/// Returns the path of the first unfit value inside of a value: empty for the value itself, `None` where all values
/// fit.
fn inside(shape: &Shape, value: RawBsonRef<'_>) -> Option<String> {
    match (shape.kind, value) {
        (_, RawBsonRef::Null) if shape.nullable => None,
        (Kind::Array { items, .. }, RawBsonRef::Array(array)) => first(as_document(array)?, |_| Some(items)),
        (Kind::Map { values, .. }, RawBsonRef::Document(entries)) => first(entries, |_| Some(values)),
        (Kind::Document { fields, .. }, RawBsonRef::Document(inner)) => {
            first(inner, |name| fields.iter().find(|field| field.name == name).map(|field| &field.shape))
        }
        _ => (!fits(shape, value)).then(String::new),
    }
}

/// Returns whether a value without inner values fits.
fn fits(shape: &Shape, value: RawBsonRef<'_>) -> bool {
    let integer = |number: i64| match shape.integer {
        Some(integer) => (integer.least..=integer.greatest).contains(&number),
        None => true,
    };
    match (shape.kind, value) {
        (Kind::Opaque { .. } | Kind::Model { .. }, _) | (Kind::String { .. }, RawBsonRef::String(_)) => true,
        (Kind::Enum(names), RawBsonRef::String(name)) => names.contains(&name),
        (Kind::Scalar(Scalar::Integer), RawBsonRef::Int32(number)) => integer(number.into()),
        (Kind::Scalar(Scalar::Integer), RawBsonRef::Int64(number)) => integer(number),
        (Kind::Scalar(scalar), value) => matches!(
            (scalar, value),
            (Scalar::ObjectId, RawBsonRef::ObjectId(_))
                | (Scalar::DateTime, RawBsonRef::DateTime(_))
                | (Scalar::Decimal128, RawBsonRef::Decimal128(_))
                | (Scalar::Binary | Scalar::Uuid, RawBsonRef::Binary(_))
                | (Scalar::Timestamp, RawBsonRef::Timestamp(_))
                | (Scalar::Bool, RawBsonRef::Boolean(_))
                | (
                    Scalar::Double | Scalar::Single,
                    RawBsonRef::Double(_) | RawBsonRef::Int32(_) | RawBsonRef::Int64(_)
                )
        ),
        _ => false,
    }
}
