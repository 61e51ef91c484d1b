//! Runs a write and its effects in one transaction, where an effect requires the transaction.

use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::BoxFuture;
use mongodb::bson::{RawDocument, RawDocumentBuf};

use crate::{
    definition::ModelDefinition,
    derived::{
        effect::{Demand, WriteView},
        effect_list,
    },
    error::Result,
    executor::{Context, run_to_end},
    transaction::write_transaction,
};

/// Returns whether a write must be in a transaction.
pub(super) fn is_atomic(definition: &'static ModelDefinition, write: &WriteView<'_>) -> bool {
    effect_list::concerning(definition).any(|effect| effect.demands(definition)(write) == Demand::Transaction)
}

/// Runs a write in a new transaction where the context has no transaction. After a conflict with another write, the
/// write runs again.
pub(super) async fn atomically<'a, T>(
    context: &'a Context,
    mut write: impl FnMut(Context) -> BoxFuture<'a, Result<T>>,
) -> Result<T> {
    if context.in_transaction() {
        return write(context.clone()).await;
    }
    write_transaction(context, |transaction| write(transaction.context)).await
}

/// Runs a write in a new transaction, with the rules of [`atomically`]. The error of a committed write carries the
/// document that the write returned.
pub(super) async fn atomically_given<'a, T: Send + 'a>(
    context: &'a Context,
    document: fn(&T) -> Option<&RawDocument>,
    mut write: impl FnMut(Context) -> BoxFuture<'a, Result<T>>,
) -> Result<T> {
    let kept = Arc::new(Mutex::new(None));
    let keeping = |context: Context| -> BoxFuture<'a, Result<T>> {
        let (kept, written) = (Arc::clone(&kept), write(context));
        Box::pin(async move {
            let given = written.await?;
            *kept.lock().unwrap_or_else(PoisonError::into_inner) = document(&given).map(ToOwned::to_owned);
            Ok(given)
        })
    };
    let written = atomically(context, keeping).await;
    let kept: Option<RawDocumentBuf> = kept.lock().unwrap_or_else(PoisonError::into_inner).take();
    written.map_err(|error| if kept.is_some() { error.with_document(kept.as_deref()) } else { error })
}

/// Runs a write of a model with derived data to the end, even when the caller is dropped. In a transaction of the user,
/// the transaction ends with the caller.
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

/// Returns the number of leading writes that are sent together, given the sizes of the writes in bytes; at least 1.
pub(super) fn fitting(sizes: impl Iterator<Item = usize>, most: usize, most_bytes: usize) -> usize {
    let mut bytes = 0;
    let fitting = sizes.take(most).take_while(|size| {
        bytes += size;
        bytes <= most_bytes
    });
    fitting.count().max(1)
}
