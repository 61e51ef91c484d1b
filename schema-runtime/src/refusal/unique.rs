//! Whether the elements of an array differ, as the server compares elements: `1` and `1.0` are equal, and documents
//! with the same fields in another order are equal.
//!
//! Source: `InternalSchemaUniqueItemsMatchExpression` of MongoDB.

use std::collections::HashSet;

use mongodb::bson::{Bson, Document, RawDocument};

use super::walk::Element;
use crate::key::Key;

/// Returns whether no element of an array equals another element. An array that cannot be read is left to the
/// validator.
pub(super) fn are_unique(array: &Element<'_>) -> bool {
    let Some(elements) = RawDocument::from_bytes(array.value).ok().and_then(|raw| Document::try_from(raw).ok()) else {
        return true;
    };
    let mut seen = HashSet::new();
    elements.into_iter().all(|(_, element)| seen.insert(Key::of(&sorted(element))))
}

/// Returns a value with the fields of each document in the order of the names.
fn sorted(value: Bson) -> Bson {
    match value {
        Bson::Document(document) => {
            let mut fields: Vec<(String, Bson)> =
                document.into_iter().map(|(name, value)| (name, sorted(value))).collect();
            fields.sort_by(|(one, _), (other, _)| one.cmp(other));
            Bson::Document(fields.into_iter().collect())
        }
        Bson::Array(elements) => Bson::Array(elements.into_iter().map(sorted).collect()),
        value => value,
    }
}
