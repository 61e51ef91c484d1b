//! What follows inserts of children: all paths are applied, then their records go together, by one write of each child. Each path is the
//! protocol by itself, and its steps have their order. Reaches the server.

use mongodb::bson::{Bson, Document, doc};

use super::{
    apply::{Applies, Borne, by_ids},
    path::RollupPath,
    tally::Delta,
    writing::{Marked, RollupWriting},
};
use crate::{
    error::{Result, server},
    executor::{Context, Sent},
};

/// A path that is applied.
struct Applied {
    path: RollupPath,
    deltas: Vec<Delta>,
    /// How many children bore a record.
    count: u64,
    applies: Applies,
}

impl Applied {
    /// Whether all of its records may go.
    fn is_free(&self) -> bool {
        !self.applies.is_revoked && self.applies.refused.is_empty()
    }
}

impl RollupWriting {
    /// A failure of one path leaves its records, and nothing of the others.
    pub(super) async fn complete_inserts(&self, context: &Context, marked: Vec<Marked>) -> Result<()> {
        let (mut done, mut all) = (Ok(()), Vec::new());
        for Marked { path, deltas, .. } in marked {
            match self.apply_inserts(context, path, deltas).await {
                Ok(applied) => all.push(applied),
                Err(error) => done = done.and(Err(error)),
            }
        }
        let together = self.clear_together(context, &all).await?;
        for applied in all {
            done = done.and(self.conclude_inserts(context, applied, together).await);
        }
        done
    }

    async fn apply_inserts(&self, context: &Context, path: RollupPath, deltas: Option<Vec<Delta>>) -> Result<Applied> {
        let deltas = match deltas {
            Some(deltas) => deltas,
            None => path.deltas(context, self.mark.id).await?,
        };
        // What is inserted is all new.
        let count = deltas.iter().map(|delta| delta.plus.count as u64).sum();
        let applies = path.apply_or_take_over(context, self.mark, &deltas).await?;
        Ok(Applied { path, deltas, count, applies })
    }

    /// Clears the records of the children that have one of each path still: how many. Nobody has taken such a child over, so that no update
    /// of many is in its records.
    async fn clear_together(&self, context: &Context, all: &[Applied]) -> Result<u64> {
        let free: Vec<&RollupPath> =
            all.iter().filter(|applied| applied.is_free()).map(|applied| &applied.path).collect();
        let Some(first) = free.first() else { return Ok(0) };
        let mut filter: Document = free.iter().map(|path| (path.mark(), Bson::from(self.mark))).collect();
        filter.extend(self.known_ids().map(by_ids));
        let records: Document = free.iter().map(|path| (path.record(), Bson::from(""))).collect();
        let sent = Sent { filter, update: doc! { "$unset": records }, ..Sent::default() };
        let cleared = context.update_many(first.child.collection, sent).await;
        Ok(cleared.map_err(|error| server::write(first.child, error))?.matched_count)
    }

    /// The records that are left, as of children that have no other parent, and what follows.
    async fn conclude_inserts(&self, context: &Context, applied: Applied, together: u64) -> Result<()> {
        let mut cleared = if applied.is_free() { together } else { 0 };
        let Applied { path, deltas, count, mut applies } = applied;
        if !applies.is_revoked {
            if cleared < count {
                cleared +=
                    path.clear(context, self.mark.id, Borne::ByLiving, &applies.refused, self.known_ids()).await?;
            }
            applies.is_shared = cleared < count;
        }
        path.conclude(context, self.mark, deltas, applies).await
    }
}
