//! Selects the descendants of a moved document that the next transaction rewrites. Reaches the server.

use mongodb::bson::{Bson, Document, doc};

use super::{chain::Chain, layout::Layout};
use crate::{
    document::count,
    error::Result,
    executor::Context,
    limits::{MOVED_BYTES, MOVED_FEWEST, MOVED_SAMPLE, MOVED_SHORT_DOCUMENTS, TRANSACTION_DOCUMENTS},
    read::{Aggregate, Query},
};

/// Some of the documents that still have the old ancestors.
pub(super) struct Part {
    pub(super) filter: Document,
    /// True when the part covers all documents.
    pub(super) is_last: bool,
}

/// Selects a part inside of a transaction, so that the part stays valid until the commit. `halved` is the number of
/// times that the largest part is halved.
pub(super) async fn next_part(context: &Context, layout: &Layout, old: &Chain, halved: u32) -> Result<Part> {
    let (collection, all) = (layout.definition.collection, layout.beginning_with(old));
    let most = most(context, layout, &all).await?.checked_shr(halved).unwrap_or_default().max(MOVED_FEWEST);
    if let Some(path) = layout.path {
        // Finds the path at the position after the largest part in the index. No more than the largest part is before
        // the path.
        let mut behind = Query::new(collection, all.clone());
        (behind.sort, behind.projection) = (doc! { path: 1 }, doc! { "_id": 0, path: 1 });
        (behind.skip, behind.limit) = (most, 1);
        let Some(behind) = behind.all(context).await?.pop() else { return Ok(Part { filter: all, is_last: true }) };
        let before = doc! { path: { "$gte": &old.path, "$lt": behind.get_str(path).unwrap_or_default() } };
        if Query::new(collection, before.clone()).exists(context).await? {
            return Ok(Part { filter: before, is_last: false });
        }
        // All documents of the part are children of one document.
    }
    let mut left = Query::new(collection, all.clone());
    left.limit = most + 1;
    let mut ids = left.all_ids(context).await?;
    let is_last = ids.len() as u64 <= most;
    ids.truncate(usize::try_from(most).unwrap_or(usize::MAX));
    let mut filter = all;
    filter.insert("_id", doc! { "$in": ids });
    Ok(Part { filter, is_last })
}

/// Returns the number of documents that one transaction rewrites: more than a thousand short documents without further
/// effects.
async fn most(context: &Context, layout: &Layout, all: &Document) -> Result<u64> {
    let least = TRANSACTION_DOCUMENTS as u64;
    if layout.has_copies() {
        return Ok(least);
    }
    let sums = doc! { "_id": Bson::Null, "bytes": { "$sum": { "$bsonSize": "$$ROOT" } }, "documents": { "$sum": 1 } };
    let pipeline = vec![doc! { "$match": all.clone() }, doc! { "$limit": MOVED_SAMPLE }, doc! { "$group": sums }];
    let sample = Aggregate { collection: Some(layout.definition.collection), pipeline }.all(context).await?;
    let sum = |name| sample.first().map_or(1, |sample| count(sample.get(name))).max(1);
    Ok((MOVED_BYTES * sum("documents") / sum("bytes")).clamp(least, MOVED_SHORT_DOCUMENTS))
}
