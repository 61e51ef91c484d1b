//! Sweeps: a source's values, written over every copy of an older version. Reaches the server.

use std::time::Instant;

use mongodb::{
    bson::{Bson, Document, RawDocumentBuf, Timestamp, doc},
    error::Error as DriverError,
};

use super::{
    pace::{Pace, Progress},
    path::CopyPath,
};
use crate::{
    codec,
    definition::ModelDefinition,
    error::{Error, Result, server},
    executor::{Context, Sent, Statement},
    read::Query,
};

/// A source as a sweep needs it.
#[derive(Clone, Copy)]
pub(crate) struct Swept<'a> {
    pub(crate) id: &'a Bson,
    pub(crate) version: Timestamp,
    /// The copied fields.
    pub(crate) document: &'a Document,
}

impl CopyPath {
    /// The statement that carries a source to those of its holders for which `only` holds.
    pub(crate) fn statement(&self, source: Swept<'_>, only: Document) -> Sent {
        let (update, array_filters) = self.sweep(source.document, source.id, source.version);
        let mut filter = only;
        filter.extend(self.older(source.id, source.version));
        Sent { filter, update, array_filters, ..Sent::default() }
    }
}

/// Carries a source to all of its holders. Where it may have more of them than a transaction carries it goes in chunks:
/// dropped on its way it ends after one of them, and what is done is not done again.
pub(crate) async fn sweep(context: &Context, path: &CopyPath, source: Swept<'_>, pace: &Pace) -> Result<()> {
    let bounded = path.fan_out.is_some() || context.in_transaction();
    if bounded && pace.told.is_none() {
        return send(context, path, path.statement(source, doc! {})).await;
    }
    let begun = Instant::now();
    let filter = path.refers_to(source.id);
    let total = match &pace.told {
        Some(_) => Some(context.count(path.holder.collection, filter.clone(), 0, 0).await?),
        None => None,
    };
    let mut query = Query::new(path.holder.collection, filter);
    query.projection = doc! { "_id": 1 };
    query.batch_size = pace.chunk;
    let mut batches = query.batches(context).await?;
    let mut done = 0;
    let mut next = batches.next().await;
    while let Some(batch) = next {
        let mut ids = Vec::new();
        for document in batch?.doc_slices()? {
            let document = document.map_err(DriverError::from)?;
            let id = document.as_document().and_then(|document| document.get("_id").ok().flatten());
            ids.extend(id.and_then(|id| Bson::try_from(id).ok()));
        }
        let count = ids.len() as u64;
        if count == 0 {
            break;
        }
        let statement = Sent { by_id: true, ..path.statement(source, doc! { "_id": { "$in": ids } }) };
        // The next chunk is looked for while this one is written.
        let (written, following) = futures_util::join!(send(context, path, statement), batches.next());
        written?;
        next = following;
        done += count;
        if let Some(told) = &pace.told {
            told(Progress { done, total, elapsed: begun.elapsed() });
        }
        if !pace.pause.is_zero() && next.is_some() {
            tokio::time::sleep(pace.pause).await;
        }
    }
    Ok(())
}

async fn send(context: &Context, path: &CopyPath, statement: Sent) -> Result<()> {
    let sent = context.update_many(path.holder.collection, statement).await;
    sent.map(drop).map_err(|error| server::write(path.holder, error))
}

/// The most statements and about the most bytes of one command.
const MAX_STATEMENTS: usize = 1_000;
const MAX_BYTES: usize = 12 * 1024 * 1024;

/// Many statements, in few commands. Each changes one document, or all that match.
pub(crate) async fn send_all(
    context: &Context,
    model: &'static ModelDefinition,
    statements: Vec<(Sent, bool)>,
) -> Result<()> {
    let mut batch: Vec<RawDocumentBuf> = Vec::new();
    let mut bytes = 0;
    for (sent, multi) in statements {
        let Sent { filter, update, array_filters, upsert, .. } = sent;
        let statement = Statement { q: filter, u: update, multi, upsert, array_filters };
        let statement = codec::encode(&statement).map_err(Error::encode)?;
        bytes += statement.as_bytes().len();
        batch.push(statement);
        if batch.len() == MAX_STATEMENTS || bytes > MAX_BYTES {
            send_batch(context, model, std::mem::take(&mut batch)).await?;
            bytes = 0;
        }
    }
    if batch.is_empty() { Ok(()) } else { send_batch(context, model, batch).await }
}

async fn send_batch(context: &Context, model: &'static ModelDefinition, batch: Vec<RawDocumentBuf>) -> Result<()> {
    let written = context.update_all(model.collection, batch, false).await;
    written.and_then(crate::executor::Written::complete).map_err(|error| server::write(model, error))
}
