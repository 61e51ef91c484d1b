//! Finds the place where decoding fails in a document. A deserializer that keeps a path would be compiled a second time
//! for each type; the module calls the existing deserializer. The deserializer reads a document from the start: an
//! unreadable element changes the error when the element is before the refused value, and does not change the error
//! when the element is after the refused value.

use mongodb::bson::{RawBsonRef, RawDocument, RawDocumentBuf};

use super::elements;

/// An element without a name, of a type that BSON does not have.
const UNREADABLE: [u8; 2] = [0x6e, 0];

/// Returns the path of the refused value in a document with this message, joined by dots. `decode` returns the message
/// of the error.
pub(super) fn locate(document: &RawDocument, message: &str, decode: &dyn Fn(&RawDocument) -> Option<String>) -> String {
    let bytes = document.as_bytes();
    let mut path = Vec::new();
    // The beginnings of the documents that enclose the refused value.
    let mut enclosing = vec![0];
    let mut inside = Some(document);
    while let Some((document, start)) = inside.zip(enclosing.last().copied()) {
        let elements = placed(document, start);
        let ends = elements.last().map_or(start + 4, |element| element.value + element.size);
        let is_read = |at: usize| {
            let error = unreadable_at(bytes, &enclosing, at).and_then(|document| decode(&document));
            error.as_deref() != Some(message)
        };
        // When no element is read, the document itself is refused; when all elements are read, an element is missing in
        // the document.
        let read = elements.partition_point(|element| is_read(element.start));
        if read == 0 || read == elements.len() && is_read(ends) {
            break;
        }
        let Placed { name, value, inner, .. } = elements[read - 1];
        path.push(name);
        enclosing.push(value);
        inside = inner;
    }
    path.join(".")
}

/// An element with the positions of the whole element and of the value.
struct Placed<'a> {
    name: &'a str,
    start: usize,
    value: usize,
    size: usize,
    /// The value, when the value is a document or an array.
    inner: Option<&'a RawDocument>,
}

/// Returns the elements of a document that begins at `start`.
fn placed(document: &RawDocument, start: usize) -> Vec<Placed<'_>> {
    // A document begins with the length of the document; an element is the type, the name, a zero and the value.
    let mut start = start + 4;
    let placed = elements(document).map(|element| {
        let (name, size) = (element.name(), element.size());
        let value = start + 1 + name.len() + 1;
        let inner = match element.value() {
            Some(RawBsonRef::Document(inner)) => Some(inner),
            Some(RawBsonRef::Array(array)) => super::as_document(array),
            _ => None,
        };
        let placed = Placed { name, start, value, size, inner };
        start = value + size;
        placed
    });
    placed.collect()
}

/// Returns the document with an unreadable element at `at`; the element lies in all of the enclosing documents.
fn unreadable_at(bytes: &[u8], enclosing: &[usize], at: usize) -> Option<RawDocumentBuf> {
    let mut bytes = bytes.to_vec();
    for start in enclosing {
        let length = bytes.get_mut(*start..start + 4)?;
        let longer = i32::from_le_bytes(length.try_into().ok()?) + UNREADABLE.len() as i32;
        length.copy_from_slice(&longer.to_le_bytes());
    }
    bytes.splice(at..at, UNREADABLE);
    RawDocumentBuf::from_bytes(bytes).ok()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use mongodb::bson::{Document, doc};
    use serde::{Deserialize, de::DeserializeOwned};

    use crate::codec::{decode, encode, locate_failure};

    #[derive(Debug, Deserialize)]
    #[allow(dead_code, reason = "only read")]
    struct Person {
        name: String,
        age: Option<i32>,
        #[serde(default)]
        addresses: Vec<Address>,
        #[serde(default)]
        scores: HashMap<String, Vec<i64>>,
    }

    #[derive(Debug, Deserialize)]
    #[allow(dead_code, reason = "only read")]
    struct Address {
        city: String,
        kind: Kind,
    }

    #[derive(Debug, Deserialize)]
    enum Kind {
        Home,
        Work,
    }

    fn path_of<T: DeserializeOwned + std::fmt::Debug>(document: &Document) -> String {
        let raw = encode(document).unwrap();
        locate_failure::<T>(&raw, &decode::<T>(&raw).unwrap_err())
    }

    #[test]
    fn the_value_that_is_refused() {
        let home = doc! { "city": "Oslo", "kind": "Home" };
        for (document, path) in [
            (doc! { "name": 1 }, "name"),
            (doc! { "unknown": { "a": [1] }, "name": "Ann", "age": "old", "also": 1 }, "age"),
            (doc! { "name": "Ann", "addresses": "none" }, "addresses"),
            (doc! { "name": "Ann", "addresses": [&home, { "city": 1, "kind": "Work" }, &home] }, "addresses.1.city"),
            (doc! { "name": "Ann", "addresses": [&home, { "city": "Rome", "kind": "Moon" }] }, "addresses.1.kind"),
            (doc! { "name": "Ann", "scores": { "a": [1], "b": [1, "two", 3] } }, "scores.b.1"),
            (doc! { "name": "Ann", "scores": { "a": 1 }, "age": 3 }, "scores.a"),
        ] {
            assert_eq!(path_of::<Person>(&document), path, "{document}");
        }
    }

    #[test]
    fn where_something_is_missing() {
        for (document, path) in [
            (doc! {}, ""),
            (doc! { "age": 1, "other": {} }, ""),
            (doc! { "name": "Ann", "addresses": [{ "city": "Oslo" }], "age": 1 }, "addresses.0"),
            (doc! { "name": "Ann", "addresses": [{ "city": "Oslo", "kind": "Home" }, {}] }, "addresses.1"),
        ] {
            assert_eq!(path_of::<Person>(&document), path, "{document}");
        }
    }

    #[test]
    fn what_is_no_struct_at_all() {
        assert_eq!(path_of::<Vec<i32>>(&doc! { "0": 1 }), "");
    }
}
