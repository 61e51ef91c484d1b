//! Conditions that a document has the fields that an update changes: the variant, and the structs and arrays that may
//! be absent.

use mongodb::bson::{Document, doc};

use super::ChangeList;
use crate::{
    changes::Operator,
    error::{Error, Result},
    field::PathNode,
};

impl ChangeList {
    /// Requires a document of the variants that have this field.
    pub(super) fn require(&mut self, node: &PathNode<'_>) {
        for (tag, name) in node.tags() {
            let earlier = self.variants.insert(tag.clone(), name);
            if earlier.is_some_and(|earlier| earlier.as_str() != Some(name)) {
                let message = format!(
                    "the update changes fields of two variants, and `{tag}` holds the name of a single variant"
                );
                self.changes = Err(Error::Update { message });
            }
        }
    }

    /// Requires the structs around this field: the server would refuse a write inside of a null, and would create a
    /// partial struct in the place of an absent struct.
    pub(super) fn require_structs(&mut self, node: &PathNode<'_>) {
        for path in node.positions() {
            self.present.entry(path).or_insert_with(|| doc! { "$exists": true }.into());
        }
        for path in node.optional_structs() {
            self.present.insert(path, doc! { "$type": "object" });
        }
        if self.root.is_some_and(|root| root.nullable) && !node.join().is_empty() {
            self.present.insert("", doc! { "$type": "object" });
        }
    }

    /// Requires the array with the changed elements.
    pub(super) fn require_array(&mut self, node: &PathNode<'_>) {
        self.require_structs(node);
        let path = node.join();
        let is_optional =
            if path.is_empty() { self.root.is_some_and(|root| root.nullable) } else { node.may_be_no_array() };
        if is_optional {
            self.present.insert(path, doc! { "$type": "array" });
        }
    }
}

/// Refuses an upsert that changes a part of a value that a document may be without.
pub(crate) fn refuse_upsert(variants: &Document, present: &Document) -> Result<()> {
    let message = match present.keys().next() {
        _ if !variants.is_empty() => "an upsert must set a whole enum, not a field of a variant".to_owned(),
        None => return Ok(()),
        Some(path) => {
            format!("an upsert must set `{path}` as a whole: a document without `{path}` has no part to change")
        }
    };
    Err(Error::Update { message })
}

/// The two changes for a `min` of elements that may hold null: the first for the elements with a value, the second for
/// the elements with null. Each change has a letter for the identifier.
pub(crate) const MIN_BESIDE_NULL: [(&str, Operator, bool); 2] =
    [("v", Operator::Min, false), ("n", Operator::Set, true)];

/// Returns the condition that a field holds null, or, with `is_null` false, that the field does not; at the empty path
/// the field is the element itself.
pub(crate) fn of_null(path: &str, is_null: bool) -> Document {
    let condition = doc! { "$type": "null" };
    let condition = if is_null {
        condition
    } else {
        doc! { "$not": condition }
    };
    doc! { path: condition }
}
