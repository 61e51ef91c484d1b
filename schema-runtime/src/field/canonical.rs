//! Sorts the content of a `HashMap` or a `HashSet`, so that a filter finds a stored value by an equal value. The order
//! of a hash collection differs from value to value. Pure.

use mongodb::bson::{Bson, Document, RawDocumentBuf, doc};

use crate::{
    codec,
    definition::{FieldDefinition, Kind, Shape},
    error::{Error, Result},
};

/// Sorts a value into the stored order.
pub(crate) fn canonical(shape: Option<&Shape>, value: Bson) -> Bson {
    match shape {
        Some(shape) if shape.holds_hashed() => sorted(shape, value),
        _ => value,
    }
}

/// Sorts a value of an element; `shape` is the shape of the array.
pub(crate) fn canonical_item(shape: Option<&Shape>, value: Bson) -> Bson {
    match shape.map(|shape| shape.kind) {
        Some(Kind::Array { items, .. }) => canonical(Some(items), value),
        _ => value,
    }
}

/// Sorts values of elements; `shape` is the shape of the array.
pub(crate) fn canonical_items(shape: Option<&Shape>, values: Vec<Bson>) -> Vec<Bson> {
    values.into_iter().map(|value| canonical_item(shape, value)).collect()
}

/// Sorts a whole document with these fields.
pub(crate) fn canonical_document(fields: &[FieldDefinition], document: &RawDocumentBuf) -> Result<RawDocumentBuf> {
    let document = Document::try_from(&**document).map_err(Error::encode)?;
    codec::encode(&of_fields(fields, document)).map_err(Error::encode)
}

fn of_fields(fields: &[FieldDefinition], document: Document) -> Document {
    let of_field = |(name, value): (String, Bson)| {
        let field = fields.iter().find(|field| field.name == name);
        (name, canonical(field.map(|field| &field.shape), value))
    };
    document.into_iter().map(of_field).collect()
}

fn sorted(shape: &Shape, value: Bson) -> Bson {
    match (shape.kind, value) {
        (Kind::Array { items, .. }, Bson::Array(elements)) => {
            let mut elements: Vec<Bson> = elements.into_iter().map(|element| canonical(Some(items), element)).collect();
            if shape.hashed {
                elements.sort_by_cached_key(bytes);
            }
            Bson::Array(elements)
        }
        (Kind::Map { values, .. }, Bson::Document(entries)) => {
            let mut entries: Vec<(String, Bson)> =
                entries.into_iter().map(|(key, value)| (key, canonical(Some(values), value))).collect();
            if shape.hashed {
                entries.sort_by(|(one, _), (other, _)| one.cmp(other));
            }
            Bson::Document(entries.into_iter().collect())
        }
        (Kind::Document { fields, .. }, Bson::Document(document)) => Bson::Document(of_fields(fields, document)),
        (_, value) => value,
    }
}

/// Encodes a value as the bytes that give the sort order.
fn bytes(value: &Bson) -> Vec<u8> {
    codec::encode(&doc! { "": value }).map(RawDocumentBuf::into_bytes).unwrap_or_default()
}
