//! The check of a document against the bounds of the model. Pure: walks the raw BSON that is about to be sent.

use std::{borrow::Cow, str};

use mongodb::bson::{Bson, RawDocument, doc};

use self::walk::{ARRAY, DOCUMENT, Element, NULL, STRING, elements};
use super::growth::display;
use crate::{
    codec,
    definition::{FieldDefinition, Kind, ModelDefinition, Shape, Variants},
    error::{BoundUnit, Error, ExceededBound, Result},
};

#[cfg(test)]
mod tests;
mod walk;

/// A value that exceeds its bound.
struct Excess {
    /// The steps of the path to the value, the last step first.
    path: Vec<Cow<'static, str>>,
    bound: u64,
    size: u64,
    unit: BoundUnit,
}

/// The largest number of values that an error names.
const MOST_NAMED: usize = 100;

/// Checks a document. Values over their bounds are an error, in the order of the document, an array before its
/// elements. A value of another type than the declared type is left to the validator.
pub(super) fn check(model: &ModelDefinition, document: &RawDocument) -> Result<()> {
    let found = check_document(model.fields, model.variants, document.as_bytes());
    refuse(model, found.into_iter().map(|excess| excess.into_exceeded(None)).collect())
}

/// Returns an error when there are values over their bounds.
pub(super) fn refuse(model: &ModelDefinition, exceeded: Vec<ExceededBound>) -> Result<()> {
    Error::bounds_exceeded(model.model, exceeded).map_or(Ok(()), Err)
}

/// Returns the parts of a value that exceed the bounds of the shape. The value is written at `path`.
pub(super) fn exceeded_in_value(path: &str, shape: &'static Shape, value: &Bson) -> Result<Vec<ExceededBound>> {
    exceeded_in_each(path, shape, std::slice::from_ref(value))
}

/// Returns the parts of elements that exceed the bounds of an element. The elements are added to the array at `path`.
pub(super) fn exceeded_in_elements(path: &str, array: &'static Shape, elements: &Bson) -> Result<Vec<ExceededBound>> {
    let (Kind::Array { items, .. }, Bson::Array(elements)) = (array.kind, elements) else { return Ok(Vec::new()) };
    exceeded_in_each(&format!("{path}.*"), items, elements)
}

fn exceeded_in_each(path: &str, shape: &'static Shape, values: &[Bson]) -> Result<Vec<ExceededBound>> {
    let (least, mut exceeded) = (least(shape), Vec::new());
    for value in values.iter().filter(|value| !is_small(value, least)) {
        let document = codec::encode(&doc! { "": value }).map_err(Error::encode)?;
        for element in elements(document.as_bytes()) {
            let found = check_element(shape, &element);
            exceeded.extend(found.into_iter().map(|excess| excess.into_exceeded(Some(display(path)))));
        }
    }
    Ok(exceeded)
}

/// Returns true when a value certainly has fewer bytes than `least`, without counting the bytes of the value.
fn is_small(value: &Bson, least: u64) -> bool {
    match value {
        // A string has a length, the text and a zero.
        Bson::String(text) => (text.len() as u64 + 5) < least,
        Bson::Int32(_) | Bson::Int64(_) | Bson::Double(_) | Bson::Boolean(_) | Bson::DateTime(_) | Bson::Null => {
            8 < least
        }
        _ => least == u64::MAX,
    }
}

/// Returns the fewest bytes of a value of this shape that exceeds a bound. A smaller value needs no check.
fn least(shape: &Shape) -> u64 {
    match shape.kind {
        // Every code point has at least one byte; a string also has a length and a zero.
        Kind::String { max_len } => max_len.map_or(u64::MAX, |max_len| max_len.saturating_add(6)),
        // An element of an array has a type, a position and a zero.
        Kind::Array { items, max, .. } => least_of_many(max, 3).min(least(items)),
        // An entry of a map has a type and a zero; the name may be empty.
        Kind::Map { values, max } => least_of_many(max, 2).min(least(values)),
        Kind::Document { fields, .. } => fields.iter().map(|field| least(&field.shape)).min().unwrap_or(u64::MAX),
        Kind::Opaque { max_bytes, .. } => max_bytes.saturating_add(1),
        Kind::Scalar(_) | Kind::Enum(_) | Kind::Model { .. } => u64::MAX,
    }
}

/// Returns the fewest bytes of more than `max` elements of the given size.
fn least_of_many(max: Option<u64>, element: u64) -> u64 {
    max.map_or(u64::MAX, |max| max.saturating_add(1).saturating_mul(element))
}

/// Checks a document. The document of an enum is judged by the fields of the variant; a document of an unknown variant
/// is left to the validator.
fn check_document(
    fields: &'static [FieldDefinition],
    variants: Option<&'static Variants>,
    document: &[u8],
) -> Vec<Excess> {
    let Some(variants) = variants else { return check_fields(fields, document) };
    let mut tags =
        elements(document).filter(|element| element.name == variants.tag.as_bytes() && element.kind == STRING);
    let variant = tags.next().and_then(|tag| variants.find(str::from_utf8(tag.text()).ok()?));
    variant.map_or_else(Vec::new, |variant| check_fields(variant.fields, document))
}

fn check_fields(definitions: &'static [FieldDefinition], document: &[u8]) -> Vec<Excess> {
    // serde writes the fields in the order of the struct, so the search begins at the next field.
    let (mut next, mut found) = (0, Vec::new());
    for element in elements(document) {
        let is = |field: &FieldDefinition| field.name.as_bytes() == element.name;
        let at = match definitions.get(next) {
            Some(field) if is(field) => next,
            _ => match definitions.iter().position(is) {
                Some(at) => at,
                None => continue,
            },
        };
        next = at + 1;
        let field = &definitions[at];
        add_under(&mut found, || field.name.into(), check_element(&field.shape, &element));
    }
    found
}

fn check_element(shape: &Shape, element: &Element<'_>) -> Vec<Excess> {
    if (element.value.len() as u64) < least(shape) {
        return Vec::new();
    }
    match (shape.kind, element.kind) {
        (_, NULL) => Vec::new(),
        (Kind::String { max_len: Some(max_len) }, STRING) => {
            let size = str::from_utf8(element.text()).map_or(0, |text| text.chars().count());
            over(max_len, size, BoundUnit::CodePoints).into_iter().collect()
        }
        (Kind::Array { items, max, .. }, ARRAY) => {
            check_each(items, max, element, BoundUnit::Elements, |position| position.to_string().into())
        }
        (Kind::Map { values, max }, DOCUMENT) => check_each(values, max, element, BoundUnit::Entries, |_| "*".into()),
        (Kind::Document { fields, .. }, DOCUMENT) => check_document(fields, shape.variants, element.value),
        (Kind::Opaque { max_bytes, .. }, _) => {
            over(max_bytes, element.value.len(), BoundUnit::Bytes).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// Checks an array or a map: first the number of elements or entries, then each element or entry.
fn check_each(
    shape: &Shape,
    max: Option<u64>,
    list: &Element<'_>,
    unit: BoundUnit,
    step: fn(usize) -> Cow<'static, str>,
) -> Vec<Excess> {
    let (mut count, mut inside) = (0, Vec::new());
    for element in elements(list.value) {
        add_under(&mut inside, || step(count), check_element(shape, &element));
        count += 1;
    }
    match over(max.unwrap_or(u64::MAX), count, unit) {
        Some(excess) => std::iter::once(excess).chain(inside).collect(),
        None => inside,
    }
}

fn over(bound: u64, size: usize, unit: BoundUnit) -> Option<Excess> {
    let size = size as u64;
    (size > bound).then(|| Excess { path: Vec::new(), bound, size, unit })
}

/// Adds the excesses found under one step of the path, up to `MOST_NAMED` excesses.
fn add_under(found: &mut Vec<Excess>, step: impl Fn() -> Cow<'static, str>, under: Vec<Excess>) {
    for mut excess in under.into_iter().take(MOST_NAMED.saturating_sub(found.len())) {
        excess.path.push(step());
        found.push(excess);
    }
}

impl Excess {
    /// Converts the excess to the form of an error. `place` is the path of the checked value in the document.
    fn into_exceeded(mut self, place: Option<String>) -> ExceededBound {
        self.path.extend(place.map(Cow::Owned));
        self.path.reverse();
        let Excess { path, bound, size, unit } = self;
        ExceededBound { field: path.join("."), bound, size, unit }
    }
}
