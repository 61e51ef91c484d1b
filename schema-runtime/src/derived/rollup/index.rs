//! The indexes that find what the protocol has left in children and in parents, and the children that a minimum or a maximum is
//! read from again. Pure.

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
    let mut extremes: Vec<(Document, Option<Document>)> = Vec::new();
    for (path, RollupField { value, .. }) in
        children.iter().flat_map(|path| path.fields.iter().map(move |field| (path, field)))
    {
        if let RollupValue::Min { from } | RollupValue::Max { from } = value {
            let keys = doc! { path.reference: 1, *from: 1 };
            if !extremes.iter().any(|(other, _)| *other == keys) {
                extremes.push((keys, None));
            }
        }
    }
    partial.chain(extremes).collect()
}
