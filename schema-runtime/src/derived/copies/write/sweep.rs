//! Sweeps: write the values of a source over every copy of an older version. Reaches the server.

use std::{pin::pin, time::Duration};

use futures_util::future::BoxFuture;
use futures_util::{StreamExt, stream};
use mongodb::bson::{Bson, Document, doc};

use super::exceeded;
use crate::{
    derived::{
        copies::stored::path::{CopyPath, Swept, older},
        refused::{Refused, send_each},
        throttle::{Throttle, Throttler},
    },
    error::{Result, code, server},
    executor::{Context, UpdateRequest},
    limits::SWEEPS_AT_A_TIME,
    read::Query,
};

impl CopyPath {
    /// Returns the statement that propagates a source to the holders that match `only`.
    pub(crate) fn statement(&self, source: Swept<'_>, only: Document) -> UpdateRequest {
        self.statement_over(source, only, older(source.version))
    }

    /// Returns the statement that propagates a source over copies with a matching version.
    pub(in crate::derived::copies) fn statement_over(
        &self,
        source: Swept<'_>,
        only: Document,
        over: Document,
    ) -> UpdateRequest {
        let (update, array_filters) = self.sweep_update(source, over.clone());
        let mut filter = only;
        filter.extend(self.with_version(source.id, over));
        UpdateRequest { filter, update, array_filters, ..UpdateRequest::default() }
    }
}

/// Propagates a source to all holders. A source with more holders than a transaction propagates is swept in chunks. A
/// dropped sweep ends after a chunk, and a new sweep does not repeat the finished chunks. Holders that the server
/// refuses are left out; in a transaction a refusal is an error.
pub(crate) fn sweep<'a>(
    context: &'a Context,
    path: &'a CopyPath,
    source: Swept<'a>,
    throttle: &'a Throttle,
) -> BoxFuture<'a, Result<Refused>> {
    Box::pin(async move {
        let bounded = path.fan_out.is_some() || context.in_transaction();
        if bounded && throttle.on_progress.is_none() {
            match context.update_many(path.holder.collection, path.statement(source, doc! {})).await {
                Ok(written) => {
                    if context.in_transaction() {
                        exceeded::note(context, path, written.matched_count);
                    }
                    return Ok(Refused::default());
                }
                // The command has stopped at a refused holder.
                Err(error) if code::is_refusal(&error) && !context.in_transaction() => {}
                Err(error) => return Err(server::write(path.holder, error)),
            }
        }
        sweep_in_chunks(context, path, source, throttle).await
    })
}

pub(in crate::derived::copies) fn sweep_in_chunks<'a>(
    context: &'a Context,
    path: &'a CopyPath,
    source: Swept<'a>,
    throttle: &'a Throttle,
) -> BoxFuture<'a, Result<Refused>> {
    Box::pin(async move {
        let filter = path.refers_to(source.id);
        let mut throttler = Throttler::new(context, vec![(path.holder.collection, filter.clone())], throttle).await?;
        let mut query = Query::new(path.holder.collection, filter);
        query.batch_size = throttle.chunk;
        let batches = stream::try_unfold(query.ids(context).await?, |mut ids| async {
            Ok(ids.next().await?.map(|batch| (batch, ids)))
        });
        let side_by_side = if throttle.pause.is_zero() && !context.in_transaction() { SWEEPS_AT_A_TIME } else { 1 };
        let chunks = batches.enumerate();
        let written =
            chunks.map(|(number, ids)| write_chunk(context, path, source, ids, pause_before(number, throttle)));
        let mut written = pin!(written.buffered(side_by_side));
        let mut refused = Refused::default();
        while let Some(chunk) = written.next().await {
            let (count, refused_here) = chunk?;
            refused.add(refused_here);
            throttler.done(count);
        }
        Ok(refused)
    })
}

fn pause_before(number: usize, throttle: &Throttle) -> Duration {
    if number == 0 { Duration::ZERO } else { throttle.pause }
}

/// Propagates a source to the holders with the given `_id`s, and returns the number of holders.
async fn write_chunk(
    context: &Context,
    path: &CopyPath,
    source: Swept<'_>,
    ids: Result<Vec<Bson>>,
    pause: Duration,
) -> Result<(u64, Refused)> {
    let ids = ids?;
    if ids.is_empty() {
        return Ok((0, Refused::default()));
    }
    if !pause.is_zero() {
        tokio::time::sleep(pause).await;
    }
    let statement = UpdateRequest { by_id: true, ..path.statement(source, doc! { "_id": { "$in": &ids } }) };
    let refused = match context.update_many(path.holder.collection, statement).await {
        Ok(_) => Refused::default(),
        Err(error) if code::is_refusal(&error) && !context.in_transaction() => {
            Box::pin(one_by_one(context, path, source, &ids)).await?
        }
        Err(error) => return Err(server::write(path.holder, error)),
    };
    Ok((ids.len() as u64, refused))
}

/// Writes a source over the older copies of the given holders with a statement each, and returns the refused holders.
pub(in crate::derived::copies) async fn one_by_one(
    context: &Context,
    path: &CopyPath,
    source: Swept<'_>,
    holders: &[Bson],
) -> Result<Refused> {
    let alone = holders.iter().map(|id| (id.clone(), to(path, source, doc! { "$eq": id })));
    send_each(context, path.holder, alone).await
}

/// Returns the sweep of a source for the holders with a matching `_id`.
pub(in crate::derived::copies) fn to(path: &CopyPath, source: Swept<'_>, ids: Document) -> UpdateRequest {
    UpdateRequest { by_id: true, ..path.statement(source, doc! { "_id": ids }) }
}
