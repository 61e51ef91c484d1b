//! An array that an update makes longer.

use mongodb::bson::{Bson, RawArray, RawBsonRef, RawDocument};

use crate::{
    changes::Operator,
    codec,
    definition::Kind,
    document::top_field,
    error::{BoundUnit, ExceededBound, Fault},
    field::Change,
    refusal::display,
};

/// Elements that are added to an array with a bound.
#[derive(Clone)]
pub(super) struct Growth {
    /// The stored path; an element of an array is `$[]` or `$[identifier]`.
    path: String,
    pub(super) added: u64,
    pub(super) bound: u64,
}

impl Growth {
    /// Returns `None` when the change adds nothing, or when the array has no bound.
    pub(super) fn of(change: &Change) -> Option<Self> {
        if !change.grows() {
            return None;
        }
        let (Operator::Push | Operator::AddToSet, Bson::Array(elements)) = (change.operator, &change.value) else {
            return None;
        };
        let Kind::Array { max: Some(bound), .. } = change.shape?.kind else { return None };
        Some(Growth { path: change.path.clone(), added: elements.len() as u64, bound })
    }

    /// Returns the field of the document that contains the array.
    pub(super) fn field(&self) -> &str {
        top_field(&self.path)
    }

    /// Returns the number of elements after the change; for arrays in the elements of an array, the largest number.
    pub(super) fn size_in(&self, document: &RawDocument) -> u64 {
        let steps: Vec<&str> = self.path.split('.').collect();
        longest_in_document(document, &steps).map_or(0, |length| length + self.added)
    }

    pub(super) fn exceeded(&self, size: u64) -> Fault {
        let field = display(&self.path);
        Fault::Bound(ExceededBound { field, bound: self.bound, size, unit: BoundUnit::Elements })
    }
}

fn longest_in_document(document: &RawDocument, steps: &[&str]) -> Option<u64> {
    let (first, rest) = steps.split_first()?;
    longest(document.get(first).ok()??, rest)
}

fn longest(value: RawBsonRef<'_>, steps: &[&str]) -> Option<u64> {
    match value {
        RawBsonRef::Array(array) if steps.is_empty() => {
            codec::as_document(array).map(|array| codec::elements(array).count() as u64)
        }
        RawBsonRef::Array(array) => match steps[0].parse() {
            Ok(index) => longest(codec::elements(codec::as_document(array)?).nth(index)?.value()?, &steps[1..]),
            Err(_) => longest_in_elements(array, &steps[1..]),
        },
        RawBsonRef::Document(document) => longest_in_document(document, steps),
        _ => None,
    }
}

fn longest_in_elements(array: &RawArray, steps: &[&str]) -> Option<u64> {
    codec::elements(codec::as_document(array)?).filter_map(|element| longest(element.value()?, steps)).max()
}
