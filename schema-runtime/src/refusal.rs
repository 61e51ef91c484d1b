//! The check of a document against the bounds and the rules of the model. Pure: walks the raw BSON that is about to be
//! sent.

use std::{borrow::Cow, str};

use mongodb::bson::{Bson, RawDocument, doc};

use self::walk::{ARRAY, DOCUMENT, Element, NULL, STRING, elements};
use crate::{
    codec,
    definition::{FieldDefinition, Judge, Kind, ModelDefinition, Shape, ValueRule, Variants},
    error::{BoundUnit, Error, ExceededBound, FailedRule, Fault, Result},
};

mod derives;
mod document;
mod function;
mod multiple;
mod pattern;
mod rule;
#[cfg(test)]
mod tests;
mod unique;
mod walk;

pub use derives::{of_garde, of_validator};
pub use function::Judges;

/// A value that exceeds its bound, or fails a rule.
struct Found {
    /// The steps of the path to the value, the last step first.
    path: Vec<Cow<'static, str>>,
    what: What,
}

enum What {
    Exceeds { bound: u64, size: u64, unit: BoundUnit },
    Fails { rule: &'static ValueRule, kind: Kind },
    Refuses { judge: &'static Judge, text: &'static str },
}

/// The largest number of faults that an error names.
const MOST_NAMED: usize = 100;

/// Checks a document. Values over their bounds, and values that fail a rule, are an error, in the order of the
/// document, an array before its elements. A value of another type than the declared type is left to the validator.
pub(crate) fn check(model: &ModelDefinition, document: &RawDocument) -> Result<()> {
    refuse(model, faults(model.fields, model.variants, document))
}

/// Returns the faults of a document with these fields.
pub(crate) fn faults(
    fields: &'static [FieldDefinition],
    variants: Option<&'static Variants>,
    document: &RawDocument,
) -> Vec<Fault> {
    let found = check_document(fields, variants, document.as_bytes());
    found.into_iter().map(|found| found.into_fault(None)).collect()
}

/// Checks a whole value that is to be stored: the values as [`check`] does, the rules about several fields, and the
/// failures that derives of other crates found. One error has all faults.
pub(crate) fn check_whole(model: &ModelDefinition, document: &RawDocument, judged: Vec<FailedRule>) -> Result<()> {
    let found = check_document(model.fields, model.variants, document.as_bytes());
    let found = found.into_iter().map(|found| found.into_fault(None));
    let failed = model.document_rules.iter().filter(|rule| !document::obeys(rule, document.as_bytes()));
    let failed = failed.map(FailedRule::of_document).chain(judged).map(Fault::Rule);
    refuse(model, found.chain(failed).collect())
}

/// Returns an error when there are faults.
pub(crate) fn refuse(model: &ModelDefinition, faults: Vec<Fault>) -> Result<()> {
    Error::of_faults(model, faults).map_or(Ok(()), Err)
}

/// Returns whether a value obeys a rule.
pub(crate) fn obeys(rule: &ValueRule, value: &Bson) -> Result<bool> {
    let document = codec::encode(&doc! { "": value }).map_err(Error::encode)?;
    Ok(elements(document.as_bytes()).all(|element| rule::obeys(rule, &element)))
}

/// Returns the faults of a value of this shape. The value is written at `path`.
pub(crate) fn faults_of_value(path: &str, shape: &'static Shape, value: &Bson) -> Result<Vec<Fault>> {
    faults_of_each(path, shape, std::slice::from_ref(value))
}

/// Returns the faults of elements. The elements are added to the array at `path`.
pub(crate) fn faults_of_elements(path: &str, array: &'static Shape, elements: &Bson) -> Result<Vec<Fault>> {
    let (Kind::Array { items, .. }, Bson::Array(elements)) = (array.kind, elements) else { return Ok(Vec::new()) };
    faults_of_each(&format!("{path}.*"), items, elements)
}

/// Returns a path for people: `*` for an element that only the server knows.
pub(crate) fn display(path: &str) -> String {
    let steps: Vec<&str> = path.split('.').map(|step| if step.starts_with("$[") { "*" } else { step }).collect();
    steps.join(".")
}

fn faults_of_each(path: &str, shape: &'static Shape, values: &[Bson]) -> Result<Vec<Fault>> {
    let (least, mut faults) = (least(shape), Vec::new());
    for value in values.iter().filter(|value| !is_small(value, least)) {
        let document = codec::encode(&doc! { "": value }).map_err(Error::encode)?;
        for element in elements(document.as_bytes()) {
            let found = check_element(shape, &element);
            faults.extend(found.into_iter().map(|found| found.into_fault(Some(display(path)))));
        }
    }
    Ok(faults)
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

/// Returns the fewest bytes of a value of this shape that needs a check: of a value that exceeds a bound, or of any
/// value under a rule.
fn least(shape: &Shape) -> u64 {
    match shape.kind {
        _ if shape.holds_rules() => 0,
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
) -> Vec<Found> {
    let Some(variants) = variants else { return check_fields(fields, document) };
    let mut tags =
        elements(document).filter(|element| element.name == variants.tag.as_bytes() && element.kind == STRING);
    let variant = tags.next().and_then(|tag| variants.find(str::from_utf8(tag.text()).ok()?));
    variant.map_or_else(Vec::new, |variant| check_fields(variant.fields, document))
}

fn check_fields(definitions: &'static [FieldDefinition], document: &[u8]) -> Vec<Found> {
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

fn check_element(shape: &Shape, element: &Element<'_>) -> Vec<Found> {
    if element.kind == NULL || (element.value.len() as u64) < least(shape) {
        return Vec::new();
    }
    let inside = match (shape.kind, element.kind) {
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
    };
    if shape.rules.is_empty() {
        return inside;
    }
    let failed = shape.rules.iter().filter_map(|rule| failure(rule, shape, element));
    failed.map(|what| Found { path: Vec::new(), what }).chain(inside).collect()
}

/// Judges a value of this shape by one rule.
fn failure(rule: &'static ValueRule, shape: &Shape, element: &Element<'_>) -> Option<What> {
    match rule {
        ValueRule::With(judge) => {
            let text = function::refusal_of(judge, shape, element)?;
            Some(What::Refuses { judge, text })
        }
        _ => (!rule::obeys(rule, element)).then_some(What::Fails { rule, kind: shape.kind }),
    }
}

/// Checks an array or a map: first the number of elements or entries, then each element or entry.
fn check_each(
    shape: &Shape,
    max: Option<u64>,
    list: &Element<'_>,
    unit: BoundUnit,
    step: fn(usize) -> Cow<'static, str>,
) -> Vec<Found> {
    let (mut count, mut inside) = (0, Vec::new());
    for element in elements(list.value) {
        add_under(&mut inside, || step(count), check_element(shape, &element));
        count += 1;
    }
    match over(max.unwrap_or(u64::MAX), count, unit) {
        Some(found) => std::iter::once(found).chain(inside).collect(),
        None => inside,
    }
}

fn over(bound: u64, size: usize, unit: BoundUnit) -> Option<Found> {
    let size = size as u64;
    (size > bound).then(|| Found { path: Vec::new(), what: What::Exceeds { bound, size, unit } })
}

/// Adds the finds under one step of the path, up to `MOST_NAMED` finds.
fn add_under(found: &mut Vec<Found>, step: impl Fn() -> Cow<'static, str>, under: Vec<Found>) {
    for mut inner in under.into_iter().take(MOST_NAMED.saturating_sub(found.len())) {
        inner.path.push(step());
        found.push(inner);
    }
}

impl Found {
    /// Converts the find to the form of an error. `place` is the path of the checked value in the document.
    fn into_fault(mut self, place: Option<String>) -> Fault {
        self.path.extend(place.map(Cow::Owned));
        self.path.reverse();
        let field = self.path.join(".");
        match self.what {
            What::Exceeds { bound, size, unit } => Fault::Bound(ExceededBound { field, bound, size, unit }),
            What::Fails { rule, kind } => Fault::Rule(FailedRule::of(field, rule, &kind)),
            What::Refuses { judge, text } => Fault::Rule(FailedRule::refused(field, judge, text)),
        }
    }
}
