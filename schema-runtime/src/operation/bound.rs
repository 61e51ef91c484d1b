//! Whether a document holds the bounds of its model. Pure: walks the raw BSON that is about to be sent.

use std::borrow::Cow;

use mongodb::bson::{RawBsonRef, RawDocument};

use crate::{
    codec::{self, Element},
    definition::{FieldDefinition, Kind, ModelDefinition, Shape},
    error::{BoundUnit, Error, Result},
};

#[cfg(test)]
mod tests;

/// A value over its bound.
struct Excess {
    /// The steps to it, the last one first.
    path: Vec<Cow<'static, str>>,
    bound: u64,
    size: u64,
    unit: BoundUnit,
}

/// The first value over its bound is an error: in the order of the document, an array before its elements. A value of
/// another type than declared is left to the validator.
pub(super) fn check(model: &ModelDefinition, document: &RawDocument) -> Result<()> {
    if !model.fields.iter().any(|field| field.shape.has_bounds()) {
        return Ok(());
    }
    let Err(mut excess) = fields(model.fields, document) else { return Ok(()) };
    excess.path.reverse();
    Err(Error::BoundExceeded {
        model: model.model.to_owned(),
        field: excess.path.join("."),
        bound: excess.bound,
        size: excess.size,
        unit: excess.unit,
    })
}

fn fields(definitions: &'static [FieldDefinition], document: &RawDocument) -> Result<(), Excess> {
    // serde writes the fields in the order of the struct, so that the next one is the first to look at.
    let mut next = 0;
    for element in codec::elements(document) {
        let name = element.name();
        let at = match definitions.get(next) {
            Some(field) if field.name == name => next,
            _ => match definitions.iter().position(|field| field.name == name) {
                Some(at) => at,
                None => continue,
            },
        };
        next = at + 1;
        let field = &definitions[at];
        if field.shape.has_bounds() {
            value(&field.shape, &element).map_err(|excess| under(field.name, excess))?;
        }
    }
    Ok(())
}

/// A value of a shape with bounds.
fn value(shape: &Shape, element: &Element<'_>) -> Result<(), Excess> {
    match shape.kind {
        // Every code point has one byte at least.
        Kind::String { max_len: Some(max_len) } if element.size() as u64 > max_len => match element.value() {
            Some(RawBsonRef::String(text)) => within(max_len, text.chars().count(), BoundUnit::CodePoints),
            _ => Ok(()),
        },
        Kind::Array { items, max, .. } => match element.value() {
            Some(RawBsonRef::Array(array)) => {
                let Some(array) = codec::as_document(array) else { return Ok(()) };
                each(items, array, max, BoundUnit::Elements, |position| position.to_string().into())
            }
            _ => Ok(()),
        },
        Kind::Map { values, max } => match element.value() {
            Some(RawBsonRef::Document(map)) => each(values, map, max, BoundUnit::Entries, |_| "*".into()),
            _ => Ok(()),
        },
        Kind::Document { fields: definitions, .. } => match element.value() {
            Some(RawBsonRef::Document(document)) => fields(definitions, document),
            _ => Ok(()),
        },
        // Null has no bytes.
        Kind::Opaque { max_bytes } => within(max_bytes, element.size(), BoundUnit::Bytes),
        _ => Ok(()),
    }
}

/// The elements of an array or the entries of a map: how many there are, then each of them.
fn each(
    shape: &Shape,
    values: &RawDocument,
    max: Option<u64>,
    unit: BoundUnit,
    step: fn(usize) -> Cow<'static, str>,
) -> Result<(), Excess> {
    let has_bounds = shape.has_bounds();
    let mut first = Ok(());
    let mut count = 0;
    for element in codec::elements(values) {
        if has_bounds && first.is_ok() {
            first = value(shape, &element).map_err(|excess| under(step(count), excess));
        }
        count += 1;
    }
    within(max.unwrap_or(u64::MAX), count, unit)?;
    first
}

fn within(bound: u64, size: usize, unit: BoundUnit) -> Result<(), Excess> {
    let size = size as u64;
    if size <= bound { Ok(()) } else { Err(Excess { path: Vec::new(), bound, size, unit }) }
}

fn under(step: impl Into<Cow<'static, str>>, mut excess: Excess) -> Excess {
    excess.path.push(step.into());
    excess
}
