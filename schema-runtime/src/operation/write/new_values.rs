//! Inserts of encoded new values, which return the stored values.

use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::BoxFuture;
use mongodb::bson::{DateTime, RawDocument, RawDocumentBuf};

use super::{
    checked_document, insert_batches,
    insertion::{self, BeforeInsert},
    refused_at,
};
use crate::{
    definition::ModelDefinition,
    error::{Error, Fault, Result, server},
    executor::{Context, Executor},
    model::Model,
    operation::{atomic::to_the_end, managed},
    read, refusal,
};

/// Inserts an encoded value, and returns the stored value. A document that does not fit the struct is not inserted.
pub(in crate::operation) async fn insert_new<M: Model>(
    db: &dyn Executor,
    document: Result<RawDocumentBuf>,
) -> Result<M> {
    let now = DateTime::now();
    if const { M::DEFINITION.fills() } {
        let document = checked_document(M::DEFINITION, document, Vec::new());
        return insertion::insert_and_give(db, document, now, None, M::judged).await;
    }
    let (document, stored) = checked_new(document, now)?;
    insert_plainly(db, M::DEFINITION, document).await?;
    Ok(stored)
}

/// Returns a new value as the document that is stored, and as the model. The derives of other crates judge the model.
fn checked_new<M: Model>(document: Result<RawDocumentBuf>, now: DateTime) -> Result<(RawDocumentBuf, M)> {
    let document = managed::insertable(M::DEFINITION, document?, now)?;
    let stored = read::decode::<M>(M::DEFINITION.collection, &document);
    let judged = stored.as_ref().map(M::judged).unwrap_or_default();
    let document = checked_document(M::DEFINITION, Ok(document), judged)?;
    Ok((document, stored?))
}

fn insert_plainly<'a>(
    db: &'a dyn Executor,
    definition: &'static ModelDefinition,
    document: RawDocumentBuf,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        let inserted = db.context()?.along().insert_one(definition.collection, document).await;
        inserted.map_err(|error| server::write(definition, error))
    })
}

/// Inserts encoded values, and returns the stored values. No value is inserted when a value may not be stored.
pub(in crate::operation) async fn insert_many_new<M: Model>(
    db: &dyn Executor,
    documents: Vec<Result<RawDocumentBuf>>,
) -> Result<Vec<M>> {
    let (definition, now) = (M::DEFINITION, DateTime::now());
    if const { !M::DEFINITION.fills() } {
        let checked = documents
            .into_iter()
            .enumerate()
            .map(|(index, document)| checked_new(document, now).map_err(|error| refused_at(definition, index, error)));
        let (documents, stored) = checked.collect::<Result<Vec<_>>>()?.into_iter().unzip();
        insert_all(db, definition, documents, Vec::new()).await?;
        return Ok(stored);
    }
    let timed = documents.into_iter().enumerate().map(|(index, document)| {
        let document = checked_document(definition, document, Vec::new());
        let timed = document.and_then(|document| managed::insertable(definition, document, now));
        timed.map_err(|error| refused_at(definition, index, error))
    });
    let documents = timed.collect::<Result<Vec<_>>>()?;
    let stored: Arc<Mutex<Vec<Option<M>>>> = Arc::new(Mutex::new(documents.iter().map(|_| None).collect()));
    let before = (0..documents.len()).map(|index| {
        let stored = stored.clone();
        let before: Arc<BeforeInsert> = Arc::new(move |document: &RawDocument| keep(&stored, index, document));
        Some(before)
    });
    insert_all(db, definition, documents, before.collect()).await?;
    let stored = std::mem::take(&mut *stored.lock().unwrap_or_else(PoisonError::into_inner));
    stored.into_iter().map(|value| value.ok_or_else(|| Error::not_found(definition))).collect()
}

/// Keeps the value of a document that is inserted at this position. The derives of other crates judge the value.
fn keep<M: Model>(stored: &Mutex<Vec<Option<M>>>, index: usize, document: &RawDocument) -> Result<()> {
    let decoded = read::decode::<M>(M::DEFINITION.collection, document).and_then(|value| {
        refusal::refuse(M::DEFINITION, value.judged().into_iter().map(Fault::Rule).collect())?;
        Ok(value)
    });
    let value = decoded.map_err(|error| refused_at(M::DEFINITION, index, error))?;
    if let Some(place) = stored.lock().unwrap_or_else(PoisonError::into_inner).get_mut(index) {
        *place = Some(value);
    }
    Ok(())
}

fn insert_all<'a>(
    db: &'a dyn Executor,
    definition: &'static ModelDefinition,
    documents: Vec<RawDocumentBuf>,
    before: Vec<Option<Arc<BeforeInsert>>>,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        let context = db.context()?;
        if !definition.fills() {
            return insert_batches(&context.along(), definition, documents).await;
        }
        let insert = |context: Context| -> BoxFuture<'static, Result<()>> {
            Box::pin(async move { insertion::insert_many(&context, definition, documents, before).await })
        };
        to_the_end(context, definition, insert).await
    })
}
