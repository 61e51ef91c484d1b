//! Inserts and deletes. A value is serialised once and checked before it is sent.

mod copies;

use std::borrow::Borrow;

use mongodb::bson::{DateTime, RawDocument, RawDocumentBuf};

pub(super) use copies::insert_with;

use super::{bound, managed};
use crate::{
    codec,
    definition::ModelDefinition,
    derived::rollup,
    error::{Error, Result, server},
    executor::Context,
    field::Filter,
    model::Model,
};

/// The most bytes of a document (MongoDB limits, "BSON Document Size").
const MAX_DOCUMENT_BYTES: usize = 16 * 1024 * 1024;

/// The most writes of one command (`maxWriteBatchSize` of every server since 3.6).
pub(super) const MAX_BATCH_DOCUMENTS: usize = 100_000;

/// The most bytes of the documents of an `insert`: those of one message (`maxMessageSizeBytes`, 48,000,000), less 64 KiB for the rest of the command.
pub(super) const MAX_BATCH_BYTES: usize = 48_000_000 - 64 * 1024;

pub(super) async fn insert<M: Model>(context: &Context, value: &M) -> Result<()> {
    insert_at(context, value, DateTime::now()).await
}

pub(super) async fn create<M: Model>(context: &Context, value: &mut M) -> Result<()> {
    let now = DateTime::now();
    if const { M::DEFINITION.has_copies() || M::DEFINITION.has_rollups() } {
        *value = Box::pin(copies::insert(context, value, now, None)).await?;
        return Ok(());
    }
    insert_at(context, value, now).await?;
    managed::set(value, &managed::times::<M>(now))
}

async fn insert_at<M: Model>(context: &Context, value: &M, now: DateTime) -> Result<()> {
    if const { M::DEFINITION.has_copies() || M::DEFINITION.has_rollups() } {
        return Box::pin(copies::insert(context, value, now, None)).await.map(drop);
    }
    let document = managed::timed::<M>(checked(value)?, now)?;
    let inserted = context.insert_one(M::DEFINITION.collection, document).await;
    inserted.map_err(|error| server::write(M::DEFINITION, error))
}

/// Inserts documents that were checked. Sent in batches that are one command each, so that after a failure it is known how
/// many are stored.
pub(super) async fn insert_many<M: Model>(context: &Context, documents: Vec<RawDocumentBuf>) -> Result<()> {
    match const { M::DEFINITION.has_copies() || M::DEFINITION.has_rollups() } {
        true => Box::pin(copies::insert_many(context, M::DEFINITION, documents)).await,
        false => insert_batches(context, M::DEFINITION, documents).await,
    }
}

async fn insert_batches(
    context: &Context,
    definition: &'static ModelDefinition,
    documents: Vec<RawDocumentBuf>,
) -> Result<()> {
    let (mut batch, mut inserted) = (documents, 0);
    while !batch.is_empty() {
        let rest = batch.split_off(batch_length(&batch));
        let length = batch.len();
        let result = context.insert_many(definition.collection, batch, true).await;
        result.map_err(|error| server::write_many(definition, inserted, error))?;
        inserted += length;
        batch = rest;
    }
    Ok(())
}

pub(super) async fn delete<M: Model>(context: &Context, filter: Filter<M>) -> Result<bool> {
    if is_kept::<M>() {
        return Ok(Box::pin(rollup::delete(context, M::DEFINITION, filter.into_document()?, false)).await? > 0);
    }
    Ok(context.delete_one(M::DEFINITION.collection, filter.into_document()?).await? > 0)
}

pub(super) async fn delete_many<M: Model>(context: &Context, filter: Filter<M>) -> Result<u64> {
    if is_kept::<M>() {
        return Box::pin(rollup::delete(context, M::DEFINITION, filter.into_document()?, true)).await;
    }
    Ok(context.delete_many(M::DEFINITION.collection, filter.into_document()?).await?)
}

/// Whether parents keep something of the documents.
pub(super) fn is_kept<M: Model>() -> bool {
    M::DEFINITION.relations.iter().any(|relation| relation.kept)
}

/// Each value as BSON, or why the first that may not be stored may not.
pub(super) fn checked_all<M: Model>(values: impl IntoIterator<Item: Borrow<M>>) -> Result<Vec<RawDocumentBuf>> {
    let refused = |index, source| Error::InsertMany {
        collection: M::DEFINITION.collection,
        inserted: 0,
        index: Some(index),
        source: Box::new(source),
    };
    let now = DateTime::now();
    let timed = |value: &M| managed::timed::<M>(checked(value)?, now);
    let numbered = values.into_iter().enumerate();
    numbered.map(|(index, value)| timed(value.borrow()).map_err(|error| refused(index, error))).collect()
}

/// A value as BSON that holds its bounds and MongoDB's limit.
pub(super) fn checked<M: Model>(value: &M) -> Result<RawDocumentBuf> {
    let document = codec::encode(value).map_err(Error::encode)?;
    check(M::DEFINITION, &document)?;
    Ok(document)
}

fn check(definition: &ModelDefinition, document: &RawDocument) -> Result<()> {
    bound::check(definition, document)?;
    let size = document.as_bytes().len();
    if size > MAX_DOCUMENT_BYTES {
        return Err(Error::DocumentTooLarge { model: definition.model, size, limit: MAX_DOCUMENT_BYTES });
    }
    Ok(())
}

/// How many of the documents fit one command; one at least.
fn batch_length(documents: &[RawDocumentBuf]) -> usize {
    let mut bytes = 0;
    let fitting = documents.iter().take(MAX_BATCH_DOCUMENTS).take_while(|document| {
        bytes += document.as_bytes().len();
        bytes <= MAX_BATCH_BYTES
    });
    fitting.count().max(1)
}
