//! The indexes that copies need: an index for each fan-out, and an index for each mark. Pure.

use mongodb::bson::{Document, doc};

use super::{
    path::CopyPath,
    paths::{paths_from, paths_into},
};
use crate::definition::ModelDefinition;

/// Returns the indexes of one model's collection: the references of the held copies, and the marks of the model as
/// holder and as source. Each entry has the keys, and the condition of a partial index.
pub(crate) fn indexes(model: &'static ModelDefinition) -> Vec<(Document, Option<Document>)> {
    let held = paths_into(model);
    let fan_outs = held.iter().map(|path| (doc! { path.reference_path(): 1 }, None));
    let looks = held.iter().filter(|path| path.synced).map(CopyPath::holder_mark);
    let syncs = paths_from(model);
    let syncs = syncs.iter().map(CopyPath::source_mark);
    let marks = looks.chain(syncs).map(|mark| (doc! { &mark: 1 }, Some(doc! { mark: { "$exists": true } })));
    fan_outs.chain(marks).collect()
}
