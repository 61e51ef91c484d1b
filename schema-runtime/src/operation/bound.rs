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
    if !definitions.iter().any(|field| field.shape.has_bounds()) {
        return Ok(());
    }
    // serde writes the fields in the order of the struct, so that the next one is the first to look at.
    let mut next = 0;
    for element in codec::elements(document) {
        let (before, after) = definitions.split_at(next);
        let Some(at) = after.iter().chain(before).position(|field| field.name == element.name) else { continue };
        let at = (next + at) % definitions.len();
        next = at + 1;
        let field = &definitions[at];
        value(&field.shape, &element).map_err(|excess| under(field.name, excess))?;
    }
    Ok(())
}

fn value(shape: &Shape, element: &Element<'_>) -> Result<(), Excess> {
    match (shape.kind, element.value) {
        (_, RawBsonRef::Null) => Ok(()),
        (Kind::String { max_len: Some(max_len) }, RawBsonRef::String(text)) => {
            // Every code point has one byte at least.
            if text.len() as u64 <= max_len {
                return Ok(());
            }
            within(max_len, text.chars().count(), BoundUnit::CodePoints)
        }
        (Kind::Array { items, max, .. }, RawBsonRef::Array(array)) => {
            let Some(array) = codec::as_document(array) else { return Ok(()) };
            within(max.unwrap_or(u64::MAX), codec::count(array), BoundUnit::Elements)?;
            each(items, array, |position| position.to_string().into())
        }
        (Kind::Map { values, max }, RawBsonRef::Document(map)) => {
            within(max.unwrap_or(u64::MAX), codec::count(map), BoundUnit::Entries)?;
            each(values, map, |_| "*".into())
        }
        (Kind::Document { fields: definitions, .. }, RawBsonRef::Document(document)) => fields(definitions, document),
        (Kind::Opaque { max_bytes }, _) => within(max_bytes, element.size, BoundUnit::Bytes),
        _ => Ok(()),
    }
}

/// The elements of an array or the entries of a map.
fn each(shape: &Shape, values: &RawDocument, step: fn(usize) -> Cow<'static, str>) -> Result<(), Excess> {
    if !shape.has_bounds() {
        return Ok(());
    }
    for (position, element) in codec::elements(values).enumerate() {
        value(shape, &element).map_err(|excess| under(step(position), excess))?;
    }
    Ok(())
}

fn within(bound: u64, size: usize, unit: BoundUnit) -> Result<(), Excess> {
    let size = size as u64;
    if size <= bound { Ok(()) } else { Err(Excess { path: Vec::new(), bound, size, unit }) }
}

fn under(step: impl Into<Cow<'static, str>>, mut excess: Excess) -> Excess {
    excess.path.push(step.into());
    excess
}
