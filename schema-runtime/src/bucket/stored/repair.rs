//! Repairs the data that buckets keep about their children: an update for each bucket reads and writes the bucket at
//! once. The repair also marks buckets with a following bucket. Reaches the server.

use mongodb::bson::{Bson, Document, doc};

use super::wrong::{is_wrong, right};
use crate::{
    definition::{BucketDefinition, ModelDefinition, stored::FOLLOWED},
    derived::maintenance::MaintenanceKind,
    error::{Result, server},
    executor::Context,
};

/// Returns a condition and the update for a bucket that still meets the condition; `None` for a defect that has no
/// decidable repair.
pub(super) fn update(bucket: &BucketDefinition, kind: MaintenanceKind) -> Option<(Document, Vec<Document>)> {
    match kind {
        MaintenanceKind::WrongBucket => Some((doc! { "$expr": is_wrong(bucket) }, right(bucket))),
        MaintenanceKind::UnfollowedBucket => {
            Some((doc! { FOLLOWED: { "$exists": false } }, vec![doc! { "$set": { FOLLOWED: true } }]))
        }
        _ => None,
    }
}

/// Writes a bucket that is still broken, and returns the number of written buckets.
pub(super) async fn write(
    definition: &'static ModelDefinition,
    context: &Context,
    id: &Bson,
    (mut filter, pipeline): (Document, Vec<Document>),
) -> Result<u64> {
    filter.insert("_id", doc! { "$eq": id });
    let written = context.majority().update_with_pipeline(definition.collection, filter, pipeline, false).await;
    written.map_err(|error| server::write(definition, error))
}
