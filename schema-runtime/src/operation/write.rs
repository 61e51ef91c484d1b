//! Inserts. A value is serialized once, and checked before the insert is sent. Functions without type parameters return
//! boxed futures, so that the futures are compiled once in this crate, and not again in each crate that uses this
//! crate.

mod insertion;
mod new_values;

use std::{borrow::Borrow, sync::Arc};

use futures_util::future::BoxFuture;
use mongodb::bson::{DateTime, RawDocument, RawDocumentBuf};

pub(super) use insertion::insert_with;
use insertion::{BeforeInsert, Insert};
pub(super) use new_values::{insert_many_new, insert_new};

use super::{
    atomic::{self, is_atomic, to_the_end},
    hidden, lane, managed,
};
use crate::{
    codec,
    definition::{FieldDefinition, ModelDefinition, hold_forms, hold_hashed, hold_stored_as},
    derived::effect::{SourceDocument, WriteView},
    error::{Error, FailedRule, Result, server},
    executor::{Context, Executor},
    extra,
    field::canonical_document,
    limits::{COMMAND_WRITES, DOCUMENT_BYTES, INSERT_BYTES},
    model::Model,
    refusal,
};

/// Inserts an encoded value.
pub(super) fn insert<'a>(
    db: &'a dyn Executor,
    definition: &'static ModelDefinition,
    document: Result<RawDocumentBuf>,
    now: DateTime,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        let context = db.context()?;
        let document = managed::insertable(definition, document?, now)?;
        if definition.fills() {
            return insert_filled(context, definition, document, None, None).await;
        }
        let inserted = context.along().insert_one(definition.collection, document).await;
        inserted.map_err(|error| server::write(definition, error))
    })
}

/// Inserts a document of a model with derived data; in a lane, where the insert is a transaction of its own. `known` is
/// a document that was read already.
async fn insert_filled(
    context: Context,
    definition: &'static ModelDefinition,
    document: RawDocumentBuf,
    known: Option<Arc<SourceDocument>>,
    before: Option<Arc<BeforeInsert>>,
) -> Result<()> {
    if known.is_none() && !context.in_transaction() && is_atomic(definition, &WriteView::Insert) {
        return lane::run(&context, definition, Insert { document, before }).await.map(drop);
    }
    let insert = |context: Context| -> BoxFuture<'static, Result<()>> {
        Box::pin(async move { insertion::insert(&context, definition, document, known, before).await })
    };
    to_the_end(context, definition, insert).await
}

/// Inserts the value, and sets the fields of the value that are stored differently.
pub(super) async fn create<M: Model>(db: &dyn Executor, value: &mut M) -> Result<()> {
    let (document, now) = (checked(value), DateTime::now());
    if const { M::DEFINITION.fills() } {
        // The value is judged already.
        let stored = insertion::insert_and_give(db, document, now, None, |_| Vec::new()).await?;
        managed::set_whole(value, stored);
        return Ok(());
    }
    insert(db, M::DEFINITION, document, now).await?;
    managed::set(value, &managed::times(M::DEFINITION, now))
}

/// Inserts checked documents. Each batch is a single command, so that the number of stored documents is known after a
/// failure.
pub(super) fn insert_many<'a>(
    db: &'a dyn Executor,
    definition: &'static ModelDefinition,
    documents: Result<Vec<RawDocumentBuf>>,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        let context = db.context()?;
        let documents = documents?;
        if !definition.fills() {
            return insert_batches(&context.along(), definition, documents).await;
        }
        let insert = |context: Context| -> BoxFuture<'static, Result<()>> {
            Box::pin(async move { insertion::insert_many(&context, definition, documents, Vec::new()).await })
        };
        to_the_end(context, definition, insert).await
    })
}

/// Inserts documents that get derived data, as a part of other writes.
pub(super) fn insert_documents<'a>(
    context: &'a Context,
    definition: &'static ModelDefinition,
    documents: Vec<RawDocumentBuf>,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(insertion::insert_many(context, definition, documents, Vec::new()))
}

async fn insert_batches(
    context: &Context,
    definition: &'static ModelDefinition,
    documents: Vec<RawDocumentBuf>,
) -> Result<()> {
    let (mut batch, mut inserted) = (documents, 0);
    while !batch.is_empty() {
        let rest = batch.split_off(fitting(&batch, COMMAND_WRITES, INSERT_BYTES));
        let length = batch.len();
        let result = context.insert_many(definition.collection, batch, true).await;
        result.map_err(|error| server::write_many(definition, inserted, error))?;
        inserted += length;
        batch = rest;
    }
    Ok(())
}

/// Returns each value as BSON, or the error of the first value that may not be stored.
pub(crate) fn checked_all<M: Model>(values: impl IntoIterator<Item: Borrow<M>>) -> Result<Vec<RawDocumentBuf>> {
    let (mut documents, now) = (Vec::new(), DateTime::now());
    for value in values {
        let document =
            checked::<M>(value.borrow()).and_then(|document| managed::insertable(M::DEFINITION, document, now));
        documents.push(document.map_err(|error| refused_at(M::DEFINITION, documents.len(), error))?);
    }
    Ok(documents)
}

/// Returns the error of the value at a position, before anything is inserted.
fn refused_at(definition: &ModelDefinition, index: usize, error: Error) -> Error {
    Error::InsertMany { collection: definition.collection, inserted: 0, index: Some(index), source: Box::new(error) }
}

/// Returns the document of a value that is inserted now.
pub(crate) fn ready<M: Model>(value: &M) -> Result<RawDocumentBuf> {
    managed::insertable(M::DEFINITION, checked(value)?, DateTime::now())
}

/// Returns a value as BSON that holds its bounds and MongoDB's limit.
pub(super) fn checked<M: Model>(value: &M) -> Result<RawDocumentBuf> {
    checked_document(M::DEFINITION, encoded(value), value.judged())
}

/// Returns a value as the document that is stored.
pub(super) fn encoded<M: Model>(value: &M) -> Result<RawDocumentBuf> {
    let mut document = codec::encode(value).map_err(Error::encode);
    if const { M::DEFINITION.has_hidden() } {
        document = hidden::without_unloaded(document?, &value.unloaded());
    }
    let document = match const { differ_from_serde(M::DEFINITION.fields) } {
        true => canonical_document(M::DEFINITION.fields, &document?),
        false => document,
    };
    match const { M::EXTRA.are_kept() } {
        true => extra::stored_with(M::DEFINITION, document?, value.extra()),
        false => document,
    }
}

/// Returns whether a document that serde writes may differ from the stored document, or may have another type than
/// `#[stored_as(..)]` declares.
const fn differ_from_serde(fields: &[FieldDefinition]) -> bool {
    hold_hashed(fields) || hold_forms(fields) || hold_stored_as(fields)
}

fn checked_document(
    definition: &ModelDefinition,
    encoded: Result<RawDocumentBuf>,
    judged: Vec<FailedRule>,
) -> Result<RawDocumentBuf> {
    let document = encoded?;
    refusal::check_whole(definition, &document, judged)?;
    check_size(definition, &document)?;
    Ok(document)
}

fn check(definition: &ModelDefinition, document: &RawDocument) -> Result<()> {
    refusal::check(definition, document)?;
    check_size(definition, document)
}

fn check_size(definition: &ModelDefinition, document: &RawDocument) -> Result<()> {
    let size = document.as_bytes().len();
    if size > DOCUMENT_BYTES {
        return Err(Error::DocumentTooLarge { model: definition.model, size: Some(size), limit: DOCUMENT_BYTES });
    }
    Ok(())
}

/// Returns the number of leading documents that are sent together; at least 1.
fn fitting(documents: &[RawDocumentBuf], most: usize, most_bytes: usize) -> usize {
    atomic::fitting(documents.iter().map(|document| document.as_bytes().len()), most, most_bytes)
}
