//! Conditions for the server: a bounded array has no capacity for the elements that a change adds.

use mongodb::bson::{Bson, Document, doc};

use super::Change;
use crate::changes::Operator;
use crate::{
    definition::{Kind, Shape},
    error::{Error, Result},
    field::of_element,
};

/// Returns the condition that a document has no capacity for the elements that the change adds to a bounded array;
/// `None` when the array has no bound. The empty path is an element that is itself an array; the condition asks for the
/// positions of the array as fields.
pub(super) fn full_when(change: &Change) -> Result<Option<Document>> {
    let Some(Shape { kind: Kind::Array { max: Some(max), items, .. }, .. }) = change.shape else { return Ok(None) };
    if !change.grows() {
        return Ok(None);
    }
    let (Operator::Push | Operator::AddToSet, Bson::Array(elements)) = (change.operator, &change.value) else {
        return Ok(None);
    };
    let path = &change.path;
    let Some(last_free) = max.checked_sub(elements.len() as u64) else {
        // An array of any size has no capacity for the elements.
        return Ok((change.operator == Operator::Push).then(Document::new));
    };
    let mut full = is_longer_than(path, last_free, items);
    match (change.operator, &elements[..]) {
        (Operator::Push, _) => Ok(Some(full)),
        (_, [value]) if path.is_empty() => {
            let positions: Vec<_> = (0..*max).map(|position| doc! { position.to_string(): { "$eq": value } }).collect();
            full.insert("$nor", positions);
            Ok(Some(full))
        }
        (_, [value]) => {
            full.insert(path, doc! { "$not": { "$elemMatch": { "$eq": value } } });
            Ok(Some(full))
        }
        _ => Err(Error::Update {
            message: format!(
                "an update can add a single value to the bounded set `{path}`: write an update for each value"
            ),
        }),
    }
}

/// Returns the condition that the array at `path` has more than `size` elements: the array has an element at position
/// `size`. To the server `notes.2` is also the field `2` of an element: if an element may have such a field, the
/// condition also excludes each smaller size by name.
fn is_longer_than(path: &str, size: u64, items: &Shape) -> Document {
    let position = size.to_string();
    if path.is_empty() {
        return doc! { position: { "$exists": true } };
    }
    let may_be_a_field = match items.kind {
        Kind::Scalar(_) | Kind::String { .. } | Kind::Enum(_) | Kind::Array { .. } => false,
        Kind::Document { fields, .. } => fields.iter().any(|field| field.name == position),
        _ => true,
    };
    let mut longer = doc! { format!("{path}.{position}"): { "$exists": true } };
    if may_be_a_field {
        let sizes: Vec<_> = (0..=size).map(|size| doc! { path: { "$size": size as i64 } }).collect();
        longer.insert("$nor", sizes);
    }
    longer
}

/// Returns the condition that the array at `path` has an element for which both conditions hold.
pub(super) fn some_element(path: &str, condition: &Document, full: Document) -> Result<Document> {
    let both = if condition.is_empty() {
        full
    } else {
        doc! { "$and": [condition, full] }
    };
    of_element::elem_match_at(path, both)
}
