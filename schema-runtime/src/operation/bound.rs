//! Whether a document holds the bounds of its model. Pure: walks the raw BSON that is about to be sent.

use std::borrow::Cow;

use mongodb::bson::{Bson, RawBsonRef, RawDocument, doc};

use super::growth::display;
use crate::{
    codec::{self, Element},
    definition::{FieldDefinition, Kind, ModelDefinition, Shape},
    error::{BoundUnit, Error, Result},
};

#[cfg(test)]
mod tests;

/// The bounds of a model, and of nothing else: fields without a bound are not looked into.
pub(super) struct Bounds {
    model: &'static str,
    fields: Vec<Field>,
}

struct Field {
    name: &'static str,
    value: Value,
}

/// A value with a bound in it.
struct Value {
    bounded: Bounded,
    /// The fewest bytes with which a bound in it can be exceeded: a smaller value is not looked into.
    least: u64,
}

enum Bounded {
    String { max_len: u64 },
    Array { max: u64, items: Option<Box<Value>> },
    Map { max: u64, values: Option<Box<Value>> },
    Document(Vec<Field>),
    Opaque { max_bytes: u64 },
}

/// A value over its bound.
struct Excess {
    /// The steps to it, the last one first.
    path: Vec<Cow<'static, str>>,
    bound: u64,
    size: u64,
    unit: BoundUnit,
}

impl Bounds {
    pub(super) fn of(model: &ModelDefinition) -> Self {
        Bounds { model: model.model, fields: Field::all(model.fields) }
    }

    /// The first value over its bound is an error: in the order of the document, an array before its elements. A value of
    /// another type than declared is left to the validator.
    pub(super) fn check(&self, document: &RawDocument) -> Result<()> {
        if self.fields.is_empty() {
            return Ok(());
        }
        check_fields(&self.fields, document).map_err(|excess| excess.into_error(self.model, None))
    }
}

impl Excess {
    /// The error, for a value that is at `place` in its document.
    fn into_error(mut self, model: &str, place: Option<String>) -> Error {
        self.path.extend(place.map(Cow::Owned));
        self.path.reverse();
        Error::BoundExceeded {
            model: model.to_owned(),
            field: self.path.join("."),
            bound: self.bound,
            size: self.size,
            unit: self.unit,
        }
    }
}

impl Field {
    fn all(definitions: &'static [FieldDefinition]) -> Vec<Field> {
        let bounded = |field: &FieldDefinition| Some(Field { name: field.name, value: Value::of(&field.shape)? });
        definitions.iter().filter_map(bounded).collect()
    }
}

impl Value {
    /// `None` when no bound is in it.
    fn of(shape: &Shape) -> Option<Value> {
        let (bounded, least) = match shape.kind {
            Kind::String { max_len } => {
                let max_len = max_len?;
                // Every code point has one byte at least; a string has its length and a zero too.
                (Bounded::String { max_len }, max_len.saturating_add(6))
            }
            Kind::Array { items, max, .. } => {
                let items = Value::of(items);
                // Of an element: its type, its position and a zero.
                let least = Value::least(max, 3, items.as_ref())?;
                (Bounded::Array { max: max.unwrap_or(u64::MAX), items: items.map(Box::new) }, least)
            }
            Kind::Map { values, max } => {
                let values = Value::of(values);
                // Of an entry: its type and a zero, for its name may be empty.
                let least = Value::least(max, 2, values.as_ref())?;
                (Bounded::Map { max: max.unwrap_or(u64::MAX), values: values.map(Box::new) }, least)
            }
            Kind::Document { fields, .. } => {
                let fields = Field::all(fields);
                let least = fields.iter().map(|field| field.value.least).min()?;
                (Bounded::Document(fields), least)
            }
            Kind::Opaque { max_bytes } => (Bounded::Opaque { max_bytes }, max_bytes.saturating_add(1)),
            Kind::Scalar(_) | Kind::Enum(_) | Kind::Model { .. } => return None,
        };
        Some(Value { bounded, least })
    }

    /// The fewest bytes of more than `max` elements, or of one with a value over its own bound. `None` when there is no bound.
    fn least(max: Option<u64>, element: u64, value: Option<&Value>) -> Option<u64> {
        let many = max.map(|max| max.saturating_add(1).saturating_mul(element));
        many.into_iter().chain(value.map(|value| value.least)).min()
    }
}

/// Whether a value that is written at `path` holds the bounds of its shape.
pub(super) fn check_value(model: &ModelDefinition, path: &str, shape: &'static Shape, value: &Bson) -> Result<()> {
    check_each_of(model, path, Value::of(shape), std::slice::from_ref(value))
}

/// Whether the elements that are added to the array at `path` hold the bounds of an element.
pub(super) fn check_elements(
    model: &ModelDefinition,
    path: &str,
    array: &'static Shape,
    elements: &Bson,
) -> Result<()> {
    let (Kind::Array { items, .. }, Bson::Array(elements)) = (array.kind, elements) else { return Ok(()) };
    check_each_of(model, path, Value::of(items), elements)
}

fn check_each_of(model: &ModelDefinition, path: &str, bounds: Option<Value>, values: &[Bson]) -> Result<()> {
    let Some(bounds) = bounds else { return Ok(()) };
    for value in values {
        let document = codec::encode(&doc! { "": value }).map_err(Error::encode)?;
        for element in codec::elements(&document) {
            inside(&bounds, &element).map_err(|excess| excess.into_error(model.model, Some(display(path))))?;
        }
    }
    Ok(())
}

fn check_fields(fields: &[Field], document: &RawDocument) -> Result<(), Excess> {
    // serde writes the fields in the order of the struct, so that the next one is the first to look at.
    let mut next = 0;
    for element in codec::elements(document) {
        let name = element.name();
        let (before, after) = fields.split_at(next);
        let Some(at) = after.iter().chain(before).position(|field| field.name == name) else { continue };
        let at = (next + at) % fields.len();
        next = at + 1;
        let field = &fields[at];
        inside(&field.value, &element).map_err(|excess| under(field.name, excess))?;
    }
    Ok(())
}

fn inside(value: &Value, element: &Element<'_>) -> Result<(), Excess> {
    if (element.size() as u64) < value.least {
        return Ok(());
    }
    match (&value.bounded, element.value()) {
        (Bounded::String { max_len }, Some(RawBsonRef::String(text))) => {
            within(*max_len, text.chars().count(), BoundUnit::CodePoints)
        }
        (Bounded::Array { max, items }, Some(RawBsonRef::Array(array))) => {
            let Some(array) = codec::as_document(array) else { return Ok(()) };
            check_each(*max, items, array, BoundUnit::Elements, |position| position.to_string().into())
        }
        (Bounded::Map { max, values }, Some(RawBsonRef::Document(map))) => {
            check_each(*max, values, map, BoundUnit::Entries, |_| "*".into())
        }
        (Bounded::Document(fields), Some(RawBsonRef::Document(document))) => check_fields(fields, document),
        // Null has no bytes.
        (Bounded::Opaque { max_bytes }, _) => within(*max_bytes, element.size(), BoundUnit::Bytes),
        _ => Ok(()),
    }
}

/// The elements of an array or the entries of a map: how many there are, then each of them.
fn check_each(
    max: u64,
    value: &Option<Box<Value>>,
    list: &RawDocument,
    unit: BoundUnit,
    step: fn(usize) -> Cow<'static, str>,
) -> Result<(), Excess> {
    let mut first = Ok(());
    let mut count = 0;
    for element in codec::elements(list) {
        if let (Some(value), Ok(())) = (value, &first) {
            first = inside(value, &element).map_err(|excess| under(step(count), excess));
        }
        count += 1;
    }
    within(max, count, unit).and(first)
}

fn within(bound: u64, size: usize, unit: BoundUnit) -> Result<(), Excess> {
    let size = size as u64;
    if size <= bound { Ok(()) } else { Err(Excess { path: Vec::new(), bound, size, unit }) }
}

fn under(step: impl Into<Cow<'static, str>>, mut excess: Excess) -> Excess {
    excess.path.push(step.into());
    excess
}
