//! The indexes that copies need: an index for each fan-out, and an index for each mark. Pure.

use mongodb::bson::doc;

use super::{
    model_paths::{paths_from, paths_into},
    path::CopyPath,
};
use crate::{
    definition::ModelDefinition,
    derived::{effect::NeededIndex, marks::index_of_marks},
};

/// Returns the indexes of one model's collection: the references of the held copies, and the marks of the model as
/// holder and as source.
pub(in crate::derived::copies) fn indexes(model: &'static ModelDefinition) -> Vec<NeededIndex> {
    let held = paths_into(model);
    let fan_outs = held.iter().map(|path| (doc! { path.reference_path(): 1 }, None).into());
    let looks = held.iter().filter(|path| path.synced).map(CopyPath::holder_mark);
    let syncs = paths_from(model);
    let syncs = syncs.iter().map(CopyPath::source_mark);
    fan_outs.chain(looks.chain(syncs).map(index_of_marks)).collect()
}
