//! What a stopped client has left behind: parents that are closed and the parents of marked children are recomputed, and what is
//! being deleted goes. It may run at any time, beside all writers and beside itself.

use std::fmt;

use mongodb::bson::{Bson, Document, doc, oid::ObjectId};

use super::{
    path::{GONE, RollupPath, paths_of_child, paths_of_parent},
    refresh::{Accepts, Refreshed},
    removal,
};
use crate::{
    definition::ModelDefinition,
    error::{Result, server},
    executor::{Context, Sent},
    read::Query,
    report::counted,
};

/// How many parents are asked for at a time.
const BATCH: u32 = 1_000;

/// What was left behind of what the parents of one model keep of the children of one relation.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RecoveredRollup {
    /// The collection of the parents.
    pub parent: &'static str,
    /// The collection of the children.
    pub child: &'static str,
    /// The stored path of the reference to the parent.
    pub reference: &'static str,
    /// How often a parent was recomputed.
    pub recomputed: u64,
    /// How many deletes of children were completed; those of a child with several parents count for each.
    pub deleted: u64,
}

impl fmt::Display for RecoveredRollup {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RecoveredRollup { parent, child, recomputed, deleted, .. } = self;
        let recomputed = counted(*recomputed, "time", "times");
        let deletes = counted(*deleted, "delete", "deletes");
        write!(formatter, "{parent}: rollups of `{child}` recomputed {recomputed}, {deletes} completed")
    }
}

pub(crate) async fn recover(models: &[&'static ModelDefinition], context: &Context) -> Result<Vec<RecoveredRollup>> {
    let context = &context.majority();
    let mut recovered = Vec::new();
    for model in models {
        let paths = paths_of_child(model);
        let mut found: Vec<u64> = Vec::new();
        for path in &paths {
            found.push(path.recover(context).await?);
        }
        let deleted = if paths.is_empty() { 0 } else { recover_deletes(model, context).await? };
        for (path, recomputed) in paths.iter().zip(found).filter(|(_, recomputed)| recomputed + deleted > 0) {
            recovered.push(RecoveredRollup {
                parent: path.parent.collection,
                child: path.child.collection,
                reference: path.reference,
                recomputed,
                deleted,
            });
        }
    }
    Ok(recovered)
}

/// Those that somebody has begun become this one's.
async fn recover_deletes(model: &'static ModelDefinition, context: &Context) -> Result<u64> {
    let mark = ObjectId::new();
    let (filter, update) = (doc! { GONE: { "$exists": true } }, doc! { "$set": { GONE: mark } });
    let begun = context.update_many(model.collection, Sent { filter, update, ..Sent::default() }).await;
    match begun.map_err(|error| server::write(model, error))?.matched_count {
        0 => Ok(0),
        _ => removal::complete(model, context, mark).await,
    }
}

/// Recomputes what a parent keeps; `false` when it is not there.
pub(crate) async fn recompute_one(parent: &'static ModelDefinition, context: &Context, id: &Bson) -> Result<bool> {
    let mut found = true;
    for path in paths_of_parent(parent) {
        found &= path.refresh(context, id, Accepts::Own).await? != Refreshed::NoParent;
    }
    Ok(found)
}

/// Recomputes what all parents of a model keep, one after the other: how many there were.
pub(crate) async fn recompute_all(parent: &'static ModelDefinition, context: &Context) -> Result<u64> {
    let mut done = 0;
    let paths = paths_of_parent(parent);
    let query = Query { batch_size: BATCH, ..Query::new(parent.collection, Document::new()) };
    let mut ids = query.ids(context).await?;
    while let Some(batch) = ids.next().await? {
        for id in batch {
            for path in &paths {
                path.refresh(context, &id, Accepts::Own).await?;
            }
            done += 1;
        }
    }
    Ok(done)
}

impl RollupPath {
    /// How often a parent was recomputed.
    async fn recover(&self, context: &Context) -> Result<u64> {
        let mut recomputed = 0;
        let closed = doc! { self.closed(): { "$exists": true } };
        let query = Query { batch_size: BATCH, ..Query::new(self.parent.collection, closed) };
        // Also what is not on a majority yet, as of a client that was killed a moment ago.
        let mut ids = query.ids(&context.newest()).await?;
        while let Some(batch) = ids.next().await? {
            for id in batch {
                self.refresh(context, &id, Accepts::Own).await?;
                recomputed += 1;
            }
        }
        recomputed += self.without_left(context, &Document::new()).await?;
        let marked = doc! { self.mark(): { "$exists": true } };
        Ok(recomputed + self.refresh_parents(context, &marked, Accepts::Own).await?.len() as u64)
    }
}
