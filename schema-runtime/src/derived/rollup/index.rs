//! The indexes that find the marks of rollups. The children of one parent are found by the index of their relation. Pure.

use mongodb::bson::{Document, doc};

use super::path::{GONE, RollupPath, paths_of_child, paths_of_parent};
use crate::definition::ModelDefinition;

/// The partial indexes of one model's collection: the keys of each, which must be there.
pub(crate) fn indexes(model: &'static ModelDefinition) -> Vec<(Document, Document)> {
    let children = paths_of_child(model);
    let gone = (!children.is_empty()).then(|| GONE.to_owned());
    let of_children = children.iter().flat_map(|path| [path.mark(), format!("{}.mark", path.left())]);
    let parents = paths_of_parent(model);
    let of_parents = parents.iter().map(RollupPath::closed);
    let marks = of_children.chain(gone).chain(of_parents);
    marks.map(|mark| (doc! { &mark: 1 }, doc! { mark: { "$exists": true } })).collect()
}
