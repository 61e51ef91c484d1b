//! The indexes that copies need: one that serves each fan-out, and one that finds each mark. Pure.

use mongodb::bson::{Document, doc};

use super::path::{CopyPath, paths_from, paths_into};
use crate::definition::ModelDefinition;

/// An index that a path needs.
pub(crate) struct CopyIndex {
    pub(crate) keys: Document,
    /// The condition of a partial index.
    pub(crate) partial: Option<Document>,
}

/// Those of one model's collection: by the references of the copies it holds, and by its marks, as holder and as source.
pub(crate) fn indexes(model: &'static ModelDefinition) -> Vec<CopyIndex> {
    let held = paths_into(model);
    let fan_outs = held.iter().map(|path| CopyIndex { keys: doc! { path.reference_path(): 1 }, partial: None });
    let looks = held.iter().filter(|path| path.synced).map(CopyPath::holder_mark);
    let syncs = paths_from(model);
    let syncs = syncs.iter().map(CopyPath::source_mark);
    let marks = looks
        .chain(syncs)
        .map(|mark| CopyIndex { keys: doc! { &mark: 1 }, partial: Some(doc! { mark: { "$exists": true } }) });
    fan_outs.chain(marks).collect()
}
