//! Sweeps: write the values of a source over every copy of an older version. Reaches the server.

use std::{mem, pin::pin, time::Duration};

use futures_util::future::BoxFuture;
use futures_util::{StreamExt, stream};
use mongodb::{
    bson::{Bson, Document, RawDocumentBuf, doc},
    error::{ErrorKind, WriteFailure},
};

use super::{
    exceeded,
    path::{CopyPath, Swept, older},
};
use crate::{
    codec,
    definition::ModelDefinition,
    derived::throttle::{Throttle, Throttler},
    error::{Error, Result, code, server},
    executor::{Context, Sent, Written, in_commands},
    limits::SWEEPS_AT_A_TIME,
    read::Query,
    report::named,
};

/// Documents that the server refused to write.
#[derive(Debug, Default)]
pub(crate) struct Refused {
    pub(crate) documents: u64,
    /// The `_id`s of some refused documents.
    pub(crate) examples: Vec<Bson>,
    /// The error of the first refusal.
    first: Option<Error>,
}

impl Refused {
    pub(super) fn one(id: Bson, error: Error) -> Self {
        Refused { documents: 1, examples: vec![id], first: Some(error) }
    }

    /// Collects the documents with the given `_id`s for a report.
    pub(super) fn of(ids: impl IntoIterator<Item = Bson>) -> Self {
        let mut refused = Refused::default();
        for id in ids {
            refused.documents += 1;
            named(&mut refused.examples, [id]);
        }
        refused
    }

    pub(crate) fn add(&mut self, other: Refused) {
        self.documents += other.documents;
        named(&mut self.examples, other.examples);
        self.first = self.first.take().or(other.first);
    }

    /// Returns the first error, if any.
    pub(crate) fn none(self) -> Result<()> {
        self.first.map_or(Ok(()), Err)
    }
}

impl CopyPath {
    /// Returns the statement that propagates a source to the holders that match `only`.
    pub(crate) fn statement(&self, source: Swept<'_>, only: Document) -> Sent {
        self.statement_over(source, only, older(source.version))
    }

    /// Returns the statement that propagates a source over copies with a matching version.
    pub(super) fn statement_over(&self, source: Swept<'_>, only: Document, over: Document) -> Sent {
        let (update, array_filters) = self.sweep_update(source, over.clone());
        let mut filter = only;
        filter.extend(self.with_version(source.id, over));
        Sent { filter, update, array_filters, ..Sent::default() }
    }
}

/// Propagates a source to all holders. A source with more holders than a transaction propagates is swept in chunks. A dropped sweep ends
/// after a chunk, and a new sweep does not repeat the finished chunks. Holders that the server refuses are left out; in a transaction a
/// refusal is an error.
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

pub(super) fn sweep_in_chunks<'a>(
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
    let statement = Sent { by_id: true, ..path.statement(source, doc! { "_id": { "$in": &ids } }) };
    let refused = match context.update_many(path.holder.collection, statement).await {
        Ok(_) => Refused::default(),
        Err(error) if code::is_refusal(&error) && !context.in_transaction() => {
            Box::pin(one_by_one(context, path, source, &ids)).await?
        }
        Err(error) => return Err(server::write(path.holder, error)),
    };
    Ok((ids.len() as u64, refused))
}

/// Sends many statements in few commands. Each statement changes one document, or all that match.
pub(crate) fn send_all<'a>(
    context: &'a Context,
    model: &'static ModelDefinition,
    statements: Vec<(Sent, bool)>,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        for batch in batches(statements)? {
            let written = context.update_all(model.collection, batch, false).await;
            written.and_then(Written::complete).map_err(|error| server::write(model, error))?;
        }
        Ok(())
    })
}

/// Sends many statements, and returns the positions and errors of the statements that the server refuses.
pub(super) fn send_through<'a>(
    context: &'a Context,
    model: &'static ModelDefinition,
    statements: Vec<(Sent, bool)>,
) -> BoxFuture<'a, Result<Vec<(usize, Error)>>> {
    Box::pin(async move {
        let (mut before, mut refused) = (0, Vec::new());
        for batch in batches(statements)? {
            let size = batch.len();
            let written = context.update_all(model.collection, batch, false).await;
            let mut written = written.map_err(|error| server::write(model, error))?;
            for error in mem::take(&mut written.refused) {
                let at = before + error.index;
                let error = ErrorKind::Write(WriteFailure::WriteError(error.into()));
                refused.push((at, server::write(model, error.into())));
            }
            written.complete().map_err(|error| server::write(model, error))?;
            before += size;
        }
        Ok(refused)
    })
}

fn batches(statements: Vec<(Sent, bool)>) -> Result<Vec<Vec<RawDocumentBuf>>> {
    let encoded = |(sent, multi): (Sent, bool)| codec::encode(&sent.into_statement(multi)).map_err(Error::encode);
    in_commands(statements.into_iter().map(encoded))
}

/// Writes a source over the older copies of the given holders with a statement each, and returns the refused holders.
pub(super) async fn one_by_one(
    context: &Context,
    path: &CopyPath,
    source: Swept<'_>,
    holders: &[Bson],
) -> Result<Refused> {
    let alone = holders.iter().map(|id| (id.clone(), to(path, source, doc! { "$eq": id })));
    send_each(context, path.holder, alone).await
}

/// Sends a statement for each document, and returns the `_id`s of the documents that the server refuses.
pub(super) async fn send_each(
    context: &Context,
    model: &'static ModelDefinition,
    statements: impl IntoIterator<Item = (Bson, Sent)>,
) -> Result<Refused> {
    let (ids, statements): (Vec<Bson>, Vec<_>) = statements.into_iter().map(|(id, sent)| (id, (sent, false))).unzip();
    let mut refused = Refused::default();
    for (at, error) in send_through(context, model, statements).await? {
        refused.add(Refused::one(ids.get(at).cloned().unwrap_or(Bson::Null), error));
    }
    Ok(refused)
}

/// Updates each document that still has the mark of the read.
pub(super) async fn update_marked(
    context: &Context,
    model: &'static ModelDefinition,
    mark: &str,
    documents: &[Document],
    update: &Document,
) -> Result<Refused> {
    let statements = documents.iter().map(|document| {
        let [id, marked] = ["_id", mark].map(|name| document.get(name).cloned().unwrap_or(Bson::Null));
        let filter = doc! { "_id": { "$eq": &id }, mark: { "$eq": marked } };
        (id, Sent { filter, update: update.clone(), ..Sent::default() })
    });
    send_each(context, model, statements).await
}

/// Returns the sweep of a source for the holders with a matching `_id`.
pub(super) fn to(path: &CopyPath, source: Swept<'_>, ids: Document) -> Sent {
    Sent { by_id: true, ..path.statement(source, doc! { "_id": ids }) }
}
