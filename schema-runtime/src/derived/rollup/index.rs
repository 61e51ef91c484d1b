//! The indexes that find what the protocol has left in children and in parents, and the children that a subset, a minimum or a maximum
//! is read from again. Pure.

use mongodb::bson::{Document, doc};

use super::path::{GONE, RollupField, RollupPath, RollupValue, paths_of_child, paths_of_parent};
use crate::definition::ModelDefinition;

/// The indexes of one model's collection: the keys of each, and what must be there where it is partial.
pub(crate) fn indexes(model: &'static ModelDefinition) -> Vec<(Document, Option<Document>)> {
    let children = paths_of_child(model);
    let gone = (children.len() > 1).then(|| GONE.to_owned());
    // A record that has no mark any more is found by those who left it.
    let of_children = children.iter().flat_map(|path| [path.mark(), path.at_parent(), path.by()]);
    let parents = paths_of_parent(model);
    let kept = |path: &RollupPath| {
        let stale = path.may_be_stale().then(|| path.state("stale"));
        [path.state("applied"), path.state("revoked"), path.state("new")].into_iter().chain(stale).collect::<Vec<_>>()
    };
    let marks = of_children.chain(gone).chain(parents.iter().flat_map(kept));
    let partial = marks.map(|mark| (doc! { &mark: 1 }, Some(doc! { mark: { "$exists": true } })));
    let mut ordered: Vec<Document> = Vec::new();
    let of_fields = |path: &RollupPath| {
        // Those of subsets first: they serve a minimum and a maximum of what they are ordered by.
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
    partial.chain(ordered.into_iter().map(|keys| (keys, None))).collect()
}
