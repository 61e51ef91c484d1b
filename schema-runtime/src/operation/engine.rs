//! The engine of writes. Inserts, updates, replacements, upserts, deletes and the writes of a bulk have the same
//! attempts: begin the effects and add the derived data, send the write, settle the answer, finish the effects. Where a
//! write must be in a transaction, each attempt is a transaction.

use futures_util::future::BoxFuture;
use mongodb::bson::{Document, RawDocument};

use super::{atomic::atomically_given, parts::InParts, write_effects::Effects};
use crate::{
    definition::ModelDefinition,
    error::{Error, Result},
    executor::{Attempts, Context},
};

/// A write with effects.
pub(super) trait EngineWrite: Clone + Send + Sync {
    /// The write with the derived data, ready to be sent.
    type Prepared: Send;
    /// The answer to the sent write.
    type Answer: Send;
    /// The result of the write.
    type Written: Send;

    /// Returns whether the write must be in a transaction.
    fn is_atomic(&self) -> bool;

    /// Begins the effects, and adds the derived data to the write. `attempt` counts from 0.
    fn prepare(
        &mut self,
        context: &Context,
        attempt: u32,
    ) -> impl Future<Output = Result<(Self::Prepared, Effects)>> + Send;

    /// Sends the write.
    fn send(
        &mut self,
        context: &Context,
        prepared: Self::Prepared,
        effects: &mut Effects,
    ) -> impl Future<Output = Result<Self::Answer>> + Send;

    /// Decides the next step after an answer.
    fn settle(
        &mut self,
        context: &Context,
        effects: &mut Effects,
        answer: Result<Self::Answer>,
    ) -> impl Future<Output = Result<Settled<Self::Written>>> + Send;

    /// Returns the result, given the outcome of the work after the write.
    fn conclude(&self, _: &Context, written: Self::Written, finished: Result<()>) -> Result<Self::Written> {
        match finished {
            Ok(()) => Ok(written),
            Err(error) => Err(error.with_document(Self::document(&written))),
        }
    }

    /// Returns the document that the write returns. The error of a committed write carries the document.
    fn document(_: &Self::Written) -> Option<&RawDocument> {
        None
    }

    /// Prepares another attempt after a failed attempt outside of a transaction of the user.
    ///
    /// # Errors
    /// The error of the write where no further attempt is worthwhile.
    fn resume(&mut self, error: Error) -> Result<Progress> {
        Err(error)
    }

    /// Returns the error of the write, given the error of an attempt.
    fn locate(&self, error: Error) -> Error {
        error
    }
}

/// A write of all documents that match a filter.
pub(super) trait FilterWrite: EngineWrite {
    fn definition(&self) -> &'static ModelDefinition;

    /// Returns the filter of the documents where the write may run in parts; `None` where one attempt writes all
    /// documents.
    fn divisible(&self) -> Option<&Document>;

    /// Returns the write of a part of the documents.
    fn of_part(&self, filter: Document) -> Self;
}

/// The next step after an answer.
pub(super) enum Settled<T> {
    /// The write is done: the effects finish their work.
    Done(T),
    /// The write is answered, and the work after the write is left to `recover`.
    Unfinished(T),
    /// The write has failed after a part of the documents: the effects finish the work of the part.
    PartlyDone(Error),
    /// Another attempt follows.
    Again,
}

/// The progress of an attempt that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    None,
    Some,
}

/// Runs a write with all attempts.
pub(super) async fn run<W: EngineWrite>(context: &Context, mut write: W) -> Result<W::Written> {
    let is_own = !context.in_transaction() && write.is_atomic();
    let (mut attempts, mut count) = (Attempts::default(), 0);
    loop {
        let attempted = match is_own {
            true => attempt_in_transaction(context, &write, count).await,
            false => attempt(context, &mut write, count).await,
        };
        match attempted {
            Ok(Some(written)) => return Ok(written),
            Ok(None) => {}
            Err(error) if context.in_transaction() => return Err(write.locate(error)),
            Err(error) => {
                if write.resume(error)? == Progress::Some {
                    attempts = Attempts::default();
                }
            }
        }
        count = attempts.again().await.map_err(|error| write.locate(error))?;
    }
}

/// Decides the next step after a failed update of one document: the effects take back the preparation, and another
/// attempt follows where another client has taken the value of the update.
pub(super) async fn settle_failure<T>(context: &Context, effects: &Effects, error: Error) -> Result<Settled<T>> {
    effects.take_back(context, &error).await;
    if effects.are_overtaken(context, &error) { Ok(Settled::Again) } else { Err(error) }
}

/// Runs a write of all documents that match. Where the write must be in a transaction, each part of the documents has
/// a transaction. `add` takes the result of each part.
pub(super) async fn run_in_parts<W: FilterWrite>(
    context: &Context,
    write: W,
    mut add: impl FnMut(W::Written) + Send,
) -> Result<()> {
    let filter = write.divisible().filter(|_| !context.in_transaction() && write.is_atomic()).cloned();
    let Some(filter) = filter else {
        add(run(context, write).await?);
        return Ok(());
    };
    let mut parts = InParts::new(write.definition(), &filter);
    while let Some(part) = parts.next(context).await? {
        add(run(context, write.of_part(part)).await?);
    }
    Ok(())
}

async fn attempt_in_transaction<W: EngineWrite>(
    context: &Context,
    write: &W,
    count: u32,
) -> Result<Option<W::Written>> {
    let attempt = |context: Context| -> BoxFuture<'_, Result<Option<W::Written>>> {
        let mut write = write.clone();
        Box::pin(async move { attempt(&context, &mut write, count).await })
    };
    atomically_given(context, |written| written.as_ref().and_then(W::document), attempt).await
}

/// Tries a write once; `None` when another attempt follows.
async fn attempt<W: EngineWrite>(context: &Context, write: &mut W, count: u32) -> Result<Option<W::Written>> {
    let (prepared, mut effects) = write.prepare(context, count).await?;
    let answer = write.send(context, prepared, &mut effects).await;
    match write.settle(context, &mut effects, answer).await? {
        Settled::Done(written) => {
            let finished = effects.finish(context).await;
            write.conclude(context, written, finished).map(Some)
        }
        Settled::Unfinished(written) => write.conclude(context, written, Ok(())).map(Some),
        Settled::PartlyDone(error) => {
            // The remaining work is marked; the caller learns the error of the write.
            let _ = effects.finish(context).await;
            Err(error)
        }
        Settled::Again => Ok(None),
    }
}
