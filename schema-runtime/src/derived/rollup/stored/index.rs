//! The indexes for reads of a subset, a minimum and a maximum from the children. Pure.

use mongodb::bson::{Document, doc};

use super::path::{RollupField, RollupPath, RollupValue, paths_of_child};
use crate::definition::ModelDefinition;

/// Returns the keys of the indexes of a model's collection.
pub(crate) fn indexes(model: &'static ModelDefinition) -> Vec<Document> {
    let children = paths_of_child(model);
    let mut ordered: Vec<Document> = Vec::new();
    let of_fields = |path: &RollupPath| {
        // Indexes of subsets come first: an index of a subset also serves a minimum and a maximum of the first order
        // key.
        let sorts = path.fields.iter().filter_map(|RollupField { value, .. }| match value {
            RollupValue::Subset { sort, .. } => Some(sort.clone()),
            _ => None,
        });
        let extremes = path.fields.iter().filter_map(|RollupField { value, .. }| match value {
            RollupValue::Min { from } | RollupValue::Max { from } => Some(doc! { *from: 1 }),
            _ => None,
        });
        sorts.chain(extremes).map(|keys| (path.reference, keys)).collect::<Vec<_>>()
    };
    for (reference, order) in children.iter().flat_map(of_fields) {
        let mut keys = doc! { reference: 1 };
        keys.extend(order);
        let begins_with = |other: &&Document| keys.keys().zip(other.keys()).all(|(one, other)| one == other);
        let is_served = |other: &Document| {
            keys.len() <= other.len()
                && begins_with(&other)
                && (keys.len() == 2 || other.iter().zip(&keys).all(|(one, other)| one == other))
        };
        if !ordered.iter().any(is_served) {
            ordered.push(keys);
        }
    }
    ordered
}
