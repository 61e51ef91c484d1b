//! Fields of stored documents that the struct does not have: kept in the value, or refused. Pure.

use std::borrow::Cow;

use mongodb::bson::{Bson, Document, RawBsonRef, RawDocument, RawDocumentBuf};

use crate::{
    codec,
    definition::{ExtraFields, FieldDefinition, Kind, ModelDefinition, Shape, Variants, stored_names::is_own},
    error::{BoundUnit, Error, Result},
};

/// Returns the document of a value with the unknown fields that the value keeps.
///
/// # Errors
/// [`Error::Encode`] for a name that a field of the struct or this crate has, or that no update reaches;
/// [`Error::BoundExceeded`] when the fields exceed the bound.
pub(crate) fn stored_with(
    definition: &ModelDefinition,
    document: RawDocumentBuf,
    extra: Document,
) -> Result<RawDocumentBuf> {
    let ExtraFields::Keep { field, max_bytes } = definition.extra else { return Ok(document) };
    if extra.is_empty() {
        return Ok(document);
    }
    for name in extra.keys() {
        if let Some(fault) = fault(definition.fields, name) {
            return Err(Error::Encode { field: field.to_owned(), message: Error::message_of_form(fault) });
        }
    }
    let extra = codec::encode(&extra).map_err(Error::encode)?;
    let size = extra.as_bytes().len() as u64;
    if size > max_bytes {
        let (model, field, others) = (definition.model.to_owned(), field.to_owned(), Vec::new());
        return Err(Error::BoundExceeded { model, field, bound: max_bytes, size, unit: BoundUnit::Bytes, others });
    }
    // A document is a length, the fields and a zero.
    let fields = extra.as_bytes().get(4..extra.as_bytes().len() - 1).unwrap_or_default();
    codec::with_bytes(&document, fields).ok_or_else(|| Error::encode("the document is too large"))
}

/// Returns the reason why no unknown field has this name; `None` for a name of an unknown field.
fn fault(fields: &[FieldDefinition], name: &str) -> Option<&'static str> {
    match name {
        "" => Some("a name among the unknown fields is empty"),
        name if name.starts_with('$') => Some("a name among the unknown fields begins with `$`"),
        name if name.contains(['.', '\0']) => Some("a name among the unknown fields has a dot or a NUL"),
        name if is_own(name) => Some("a name among the unknown fields is reserved for this crate"),
        "_id" => Some("a name among the unknown fields is `_id`"),
        name if fields.iter().any(|field| field.name == name) => {
            Some("a name among the unknown fields is the name of a field of the struct")
        }
        _ => None,
    }
}

/// Returns the fields of a document that neither the struct nor this crate has; otherwise the name of a field that
/// cannot be read.
pub(crate) fn unknown_fields(fields: &[FieldDefinition], raw: &RawDocument) -> std::result::Result<Document, String> {
    let mut unknown = Document::new();
    for element in codec::elements(raw) {
        let name = element.name();
        if is_own(name) || fields.iter().any(|field| field.name == name) {
            continue;
        }
        let value = element.value().and_then(|value| Bson::try_from(value).ok());
        unknown.insert(name, value.ok_or_else(|| shown(name).into_owned())?);
    }
    Ok(unknown)
}

/// Returns the path of the first field that neither the struct nor this crate has, also inside of embedded structs;
/// `*` stands for a key of a map.
pub(crate) fn unknown_path(
    fields: &[FieldDefinition],
    variants: Option<&Variants>,
    raw: &RawDocument,
) -> Option<String> {
    let fields = match variants {
        // A document of an unknown variant is left to serde.
        Some(variants) => variants.find(raw.get_str(variants.tag).ok()?)?.fields,
        None => fields,
    };
    codec::elements(raw).find_map(|element| {
        let name = element.name();
        if is_own(name) || variants.is_some_and(|variants| variants.tag == name) {
            return None;
        }
        match fields.iter().find(|field| field.name == name) {
            None => Some(shown(name).into_owned()),
            Some(field) => unknown_inside(&field.shape, element.value()?).map(|path| format!("{name}.{path}")),
        }
    })
}

fn unknown_inside(shape: &Shape, value: RawBsonRef<'_>) -> Option<String> {
    match (shape.kind, value) {
        (Kind::Document { fields, .. }, RawBsonRef::Document(document)) => {
            unknown_path(fields, shape.variants, document)
        }
        (Kind::Array { items, .. }, RawBsonRef::Array(array)) => codec::elements(codec::as_document(array)?)
            .enumerate()
            .find_map(|(at, element)| unknown_inside(items, element.value()?).map(|path| format!("{at}.{path}"))),
        (Kind::Map { values, .. }, RawBsonRef::Document(entries)) => codec::elements(entries)
            .find_map(|element| unknown_inside(values, element.value()?).map(|path| format!("*.{path}"))),
        _ => None,
    }
}

/// The most characters of an unknown name in an error.
const NAME_LEN: usize = 60;

/// Returns an unknown name for a path: cut, where the name is long.
fn shown(name: &str) -> Cow<'_, str> {
    match name.char_indices().nth(NAME_LEN) {
        Some((end, _)) => format!("{}..", &name[..end]).into(),
        None => name.into(),
    }
}
