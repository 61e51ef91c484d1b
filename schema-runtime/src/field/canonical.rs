//! Converts values between the form that serde writes and the stored form. The content of a `HashMap` or a `HashSet` is
//! sorted, so that a filter finds a stored value by an equal value: the order of a hash collection differs from value
//! to value. A type of another crate has the form of its [`Form`](crate::definition::Form). A value that serde writes
//! as another type than `#[stored_as(..)]` declares is refused. Pure.

use mongodb::bson::{Bson, Document, RawDocument, RawDocumentBuf, doc};

use super::declared::{self, Mismatch};
use crate::{
    codec,
    definition::{FieldDefinition, Kind, Reason, Shape, Variants},
    error::{Error, Result},
};

/// The reason why a value has no other form, and the place of the value.
#[derive(Debug)]
pub(crate) struct Misfit {
    /// The steps to the value, the last step first.
    steps: Vec<String>,
    fault: Fault,
}

/// The fault of a value.
#[derive(Debug)]
enum Fault {
    /// The value has no other form.
    Form(Reason),
    /// The value is not of the declared type.
    Declared(Mismatch),
}

impl Misfit {
    fn of(fault: Fault) -> Self {
        Misfit { steps: Vec::new(), fault }
    }

    fn under(mut self, step: impl Into<String>) -> Self {
        self.steps.push(step.into());
        self
    }

    /// Returns the path of the value, and the reason.
    pub(crate) fn into_parts(mut self) -> (String, &'static str) {
        self.steps.reverse();
        let reason = match self.fault {
            Fault::Form(reason) => reason.0,
            Fault::Declared(_) => "the value is not of the declared type",
        };
        (self.steps.join("."), reason)
    }

    /// Returns the error of a value that is written at `place`, or compared with the values at `place`.
    pub(crate) fn at(self, place: &str) -> Error {
        let declared = match self.fault {
            Fault::Form(_) => None,
            Fault::Declared(mismatch) => Some(mismatch),
        };
        let (path, reason) = self.into_parts();
        let field = match (place, path.as_str()) {
            (place, "") => place.to_owned(),
            ("", _) => path,
            (place, path) => format!("{place}.{path}"),
        };
        match declared {
            Some(Mismatch { declared, written }) => Error::StoredAs { field, declared, written },
            None => Error::Encode { field, message: Error::message_of_form(reason) },
        }
    }
}

/// The direction of a conversion.
#[derive(Clone, Copy)]
enum Direction {
    /// From the form that serde writes to the stored form.
    Store,
    /// From the stored form to the form that serde reads.
    Restore,
    /// From the stored form to the form that serde reads from a buffer: in a flat struct, and in an enum whose tag is
    /// beside the fields.
    RestoreBuffered,
}

/// Converts a value to the stored form.
pub(crate) fn canonical(shape: Option<&Shape>, value: Bson) -> Result<Bson, Misfit> {
    match shape {
        Some(shape) => converted(shape, value, Direction::Store),
        None => Ok(value),
    }
}

/// Converts a value of an element to the stored form; `shape` is the shape of the array.
pub(crate) fn canonical_item(shape: Option<&Shape>, value: Bson) -> Result<Bson, Misfit> {
    match shape.map(|shape| shape.kind) {
        Some(Kind::Array { items, .. }) => canonical(Some(items), value),
        _ => Ok(value),
    }
}

/// Converts values of elements to the stored form; `shape` is the shape of the array.
pub(crate) fn canonical_items(shape: Option<&Shape>, values: Vec<Bson>) -> Result<Vec<Bson>, Misfit> {
    values.into_iter().map(|value| canonical_item(shape, value)).collect()
}

/// Converts a whole document with these fields to the stored form.
pub(crate) fn canonical_document(fields: &[FieldDefinition], document: &RawDocument) -> Result<RawDocumentBuf> {
    let document = Document::try_from(document).map_err(Error::encode)?;
    let stored = canonical_fields(fields, document)?;
    codec::encode(&stored).map_err(Error::encode)
}

/// Converts the values of these fields to the stored form.
pub(crate) fn canonical_fields(fields: &[FieldDefinition], document: Document) -> Result<Document> {
    of_fields(fields, document, Direction::Store).map_err(|misfit| misfit.at(""))
}

/// Converts a stored value to the form that serde reads.
pub(crate) fn readable(shape: Option<&Shape>, value: Bson) -> Result<Bson, Misfit> {
    match shape {
        Some(shape) => converted(shape, value, Direction::Restore),
        None => Ok(value),
    }
}

/// Converts a stored document with these fields to the form that serde reads; `None` when the bytes are no document.
pub(crate) fn readable_document(
    fields: &[FieldDefinition],
    variants: Option<&Variants>,
    document: &RawDocument,
) -> Result<Option<RawDocumentBuf>, Misfit> {
    let Ok(document) = Document::try_from(document) else { return Ok(None) };
    Ok(codec::encode(&readable_fields(fields, variants, document)?).ok())
}

/// Converts stored values of these fields, or of an enum with these variants, to the form that serde reads.
pub(crate) fn readable_fields(
    fields: &[FieldDefinition],
    variants: Option<&Variants>,
    stored: Document,
) -> Result<Document, Misfit> {
    of_fields(fields, stored, Direction::Restore.into_variants(variants))
}

fn of_fields(fields: &[FieldDefinition], document: Document, direction: Direction) -> Result<Document, Misfit> {
    let of_field = |(name, mut value): (String, Bson)| {
        // Variants of an enum may have fields of one name: the value belongs to the field that takes the value.
        let mut named = fields.iter().filter(|field| field.name == name).peekable();
        while let Some(field) = named.next() {
            let further = named.peek().map(|_| value.clone());
            match (converted(&field.shape, value, direction.into_field(field)), further) {
                (Ok(value), _) => return Ok((name, value)),
                (Err(misfit), None) => return Err(misfit.under(name)),
                (Err(_), Some(again)) => value = again,
            }
        }
        Ok((name, value))
    };
    document.into_iter().map(of_field).collect()
}

impl Direction {
    /// Returns the conversion of the value of a field.
    fn into_field(self, field: &FieldDefinition) -> Self {
        match self {
            Direction::Restore if field.flat.is_some() => Direction::RestoreBuffered,
            direction => direction,
        }
    }

    /// Returns the conversion of the values of an enum with these variants.
    fn into_variants(self, variants: Option<&Variants>) -> Self {
        match (self, variants) {
            (Direction::Restore, Some(Variants { adjacent: false, .. })) => Direction::RestoreBuffered,
            (direction, _) => direction,
        }
    }

    /// Returns whether the conversion may change a value of the shape.
    fn concerns(self, shape: &Shape) -> bool {
        shape.holds_forms() || matches!(self, Direction::Store) && (shape.holds_hashed() || shape.holds_stored_as())
    }
}

fn converted(shape: &Shape, value: Bson, direction: Direction) -> Result<Bson, Misfit> {
    if !direction.concerns(shape) {
        return Ok(value);
    }
    let value = match (shape.form, value) {
        (_, Bson::Null) => Bson::Null,
        (None, value) => inside(shape, value, direction)?,
        (Some(form), value) => match direction {
            Direction::Store => (form.store)(value),
            Direction::Restore => (form.restore)(value),
            Direction::RestoreBuffered => (form.restore_buffered)(value),
        }
        .map_err(|reason| Misfit::of(Fault::Form(reason)))?,
    };
    if matches!(direction, Direction::Store) {
        declared::check(shape, &value).map_err(|mismatch| Misfit::of(Fault::Declared(mismatch)))?;
    }
    Ok(value)
}

/// Converts the values inside of a value.
fn inside(shape: &Shape, value: Bson, direction: Direction) -> Result<Bson, Misfit> {
    let is_sorted = shape.hashed && matches!(direction, Direction::Store);
    Ok(match (shape.kind, value) {
        (Kind::Array { items, .. }, Bson::Array(elements)) => {
            let of_element = |(at, element): (usize, Bson)| {
                converted(items, element, direction).map_err(|misfit| misfit.under(at.to_string()))
            };
            let elements = elements.into_iter().enumerate().map(of_element);
            let mut elements = elements.collect::<Result<Vec<Bson>, Misfit>>()?;
            if is_sorted {
                elements.sort_by_cached_key(bytes);
            }
            Bson::Array(elements)
        }
        (Kind::Map { values, .. }, Bson::Document(entries)) => {
            // A key is data of the user, and stands in no error.
            let of_entry = |(key, value): (String, Bson)| match converted(values, value, direction) {
                Ok(value) => Ok((key, value)),
                Err(misfit) => Err(misfit.under("*")),
            };
            let mut entries = entries.into_iter().map(of_entry).collect::<Result<Vec<(String, Bson)>, Misfit>>()?;
            if is_sorted {
                entries.sort_by(|(one, _), (other, _)| one.cmp(other));
            }
            Bson::Document(entries.into_iter().collect())
        }
        (Kind::Document { fields, .. }, Bson::Document(document)) => {
            let variants = shape.variants.filter(|variants| document.contains_key(variants.tag));
            let variant = variants.and_then(|variants| variants.find(document.get_str(variants.tag).ok()?));
            let (fields, direction) =
                (variant.map_or(fields, |variant| variant.fields), direction.into_variants(shape.variants));
            Bson::Document(of_fields(fields, document, direction)?)
        }
        (_, value) => value,
    })
}

/// Encodes a value as the bytes that give the sort order.
fn bytes(value: &Bson) -> Vec<u8> {
    codec::encode(&doc! { "": value }).map(RawDocumentBuf::into_bytes).unwrap_or_default()
}
