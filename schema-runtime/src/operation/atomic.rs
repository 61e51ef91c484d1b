//! Writes that an effect wants in a transaction, with all that belongs to them.

use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, RawDocument, RawDocumentBuf, doc};

use crate::{
    definition::ModelDefinition,
    derived::{effect::OneWrite, effects::EFFECTS},
    error::Result,
    executor::{Context, run_to_end},
    limits::TRANSACTION_DOCUMENTS,
    read::Query,
    transaction::{Transaction, brief_transaction, write_transaction},
};

/// Whether a write must be in a transaction.
pub(super) fn is_atomic(definition: &'static ModelDefinition, write: &OneWrite<'_>) -> bool {
    let mut concerned = EFFECTS.iter().filter(|effect| (effect.concerns)(definition));
    concerned.any(|effect| (effect.atomic)(definition)(write))
}

/// Runs a write in a transaction of its own where it must be in one and is in none. It is run again where another write came between.
pub(super) async fn atomically<'a, T>(
    context: &'a Context,
    must_be: bool,
    mut write: impl FnMut(Context) -> BoxFuture<'a, Result<T>>,
) -> Result<T> {
    if !must_be || context.in_transaction() {
        return write(context.clone()).await;
    }
    let body = |transaction: Transaction| write(transaction.context);
    match context.has_few_attempts() {
        true => brief_transaction(context.database(), body).await,
        false => write_transaction(context.database(), body).await,
    }
}

/// Runs a write that gives a document as [`atomically`] does. The error of a write that is committed carries the document.
pub(super) async fn atomically_given<'a, T: Send + 'a>(
    context: &'a Context,
    must_be: bool,
    document: fn(&T) -> Option<&RawDocument>,
    mut write: impl FnMut(Context) -> BoxFuture<'a, Result<T>>,
) -> Result<T> {
    if !must_be || context.in_transaction() {
        return write(context.clone()).await;
    }
    let kept = Arc::new(Mutex::new(None));
    let keeping = |context: Context| -> BoxFuture<'a, Result<T>> {
        let (kept, written) = (Arc::clone(&kept), write(context));
        Box::pin(async move {
            let given = written.await?;
            *kept.lock().unwrap_or_else(PoisonError::into_inner) = document(&given).map(ToOwned::to_owned);
            Ok(given)
        })
    };
    let written = atomically(context, true, keeping).await;
    let kept: Option<RawDocumentBuf> = kept.lock().unwrap_or_else(PoisonError::into_inner).take();
    written.map_err(|error| if kept.is_some() { error.with_document(kept.as_deref()) } else { error })
}

/// Runs a write of a model of which something is derived to its end, also when the caller is dropped. In a transaction of the user, the
/// transaction ends with the caller.
pub(super) fn to_the_end<'a, T: Send + 'static>(
    context: Context,
    definition: &'static ModelDefinition,
    write: impl FnOnce(Context) -> BoxFuture<'static, Result<T>>,
) -> BoxFuture<'a, Result<T>> {
    if context.in_transaction() || !definition.fills() {
        return write(context);
    }
    let database = context.database().clone();
    let write = write(context);
    Box::pin(async move { run_to_end(&database, write).await })
}

/// How many writes of these sizes in bytes, the first ones, are sent together; one at least.
pub(super) fn fitting(sizes: impl Iterator<Item = usize>, most: usize, most_bytes: usize) -> usize {
    let mut bytes = 0;
    let fitting = sizes.take(most).take_while(|size| {
        bytes += size;
        bytes <= most_bytes
    });
    fitting.count().max(1)
}

/// All documents that match, as many at once as one transaction may well write, those with the least `_id`s first.
pub(super) struct InParts<'a> {
    definition: &'static ModelDefinition,
    filter: &'a Document,
    after: Option<Bson>,
    is_done: bool,
}

impl<'a> InParts<'a> {
    pub(super) fn new(definition: &'static ModelDefinition, filter: &'a Document) -> Self {
        InParts { definition, filter, after: None, is_done: false }
    }

    /// The filter of the next part.
    pub(super) async fn next(&mut self, context: &Context) -> Result<Option<Document>> {
        if self.is_done {
            return Ok(None);
        }
        let mut query = Query::new(self.definition.collection, self.filter.clone()).behind(self.after.as_ref());
        query.limit = TRANSACTION_DOCUMENTS as u64;
        let ids = query.all_ids(&context.newest()).await?;
        self.is_done = ids.len() < TRANSACTION_DOCUMENTS;
        let Some(last) = ids.last() else { return Ok(None) };
        self.after = Some(last.clone());
        Ok(Some(doc! { "$and": [self.filter.clone(), { "_id": { "$in": ids } }] }))
    }
}
