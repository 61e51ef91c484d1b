//! Bulk writes of models with copies or rollups. All copies and inserts have the same mark. The work after the writes
//! finds the documents by the mark, and is done at the end. Updates and deletes that concern a parent are sent one by
//! one, each with all effects, since the next write may concern the same document.

use std::mem;

use mongodb::{
    bson::{Bson, RawDocumentBuf},
    error::Error as DriverError,
};

use super::command::Order;
use super::statement::{Body, DeleteStatement, Kind, Write, statement};
use crate::{
    changes::{Reach, UpdateSpec},
    codec,
    definition::ModelDefinition,
    derived::{
        effect::{Demand, Effect, Event, WriteView},
        throttle::Throttle,
    },
    error::{Error, Result, server},
    executor::{Context, Written},
    operation::{
        atomic::is_atomic,
        delete,
        engine::{self, EngineWrite, Settled},
        write,
        write_effects::Effects,
    },
};

pub(super) async fn fill(
    context: &Context,
    definition: &'static ModelDefinition,
    writes: &mut [Write],
    throttle: Option<&Throttle>,
) -> Result<Effects> {
    let mut effects = Effects::of_bulk(definition, throttle);
    // Inserts that need a transaction are filled in the transaction.
    let prepares_inserts = !is_atomic(definition, &WriteView::Insert);
    let inserts = |write: &&mut Write| write.kind == Kind::Insert && prepares_inserts;
    let taken = writes.iter_mut().filter(inserts).map(Write::take_encoded);
    let taken: Vec<RawDocumentBuf> = taken.collect::<Result<_>>()?;
    if !taken.is_empty() {
        let filled = effects.fill_inserts(context, taken, None).await?;
        writes.iter_mut().filter(inserts).zip(filled).for_each(|(write, filled)| write.body = Body::Encoded(filled));
    }
    let prepares = Effects::prepare_updates(definition);
    // A whole document that replaces another document is not an update.
    let is_document = |write: &Write| write.is_whole && !definition.derives();
    let mut updates: Vec<&mut UpdateSpec> = match prepares {
        true => writes.iter_mut().filter(|write| !is_document(write)).filter_map(Write::spec_mut).collect(),
        false => Vec::new(),
    };
    let mut all: Vec<UpdateSpec> = updates.iter_mut().map(|spec| mem::take(*spec)).collect();
    effects.before_updates(context, &mut all).await?;
    for (update, mut spec) in updates.into_iter().zip(all) {
        effects.fill_update(context, &mut spec).await?;
        *update = spec;
    }
    Ok(effects)
}

/// Sends an update or a delete that an effect must handle alone, with all effects of the write.
pub(super) async fn send_alone(
    context: &Context,
    definition: &'static ModelDefinition,
    write: &Write,
) -> Result<Alone> {
    if let (Kind::Delete, Body::Encoded(delete)) = (write.kind, &write.body) {
        let DeleteStatement { q, limit } = codec::decode(delete).map_err(Error::encode)?;
        let count = delete::delete(context, definition, q, if limit == 0 { Reach::All } else { Reach::One }).await?;
        return Ok(Alone { written: Ok(Written::of(count)), finished: Ok(()) });
    }
    match engine::run(context, AloneUpdate { definition, write }).await {
        // The write is committed.
        Err(error) if error.is_pending() && !context.in_transaction() => {
            Ok(Alone { written: Ok(Written::of(u64::from(write.must_match == Some(1)))), finished: Err(error) })
        }
        sent => sent,
    }
}

/// Inserts documents that an effect requires in a transaction. All documents share a transaction. When a document is
/// refused, each document gets a transaction of its own, up to the first document that is refused again if the
/// bulk is ordered. Returns the outcome of each document that was tried, and the outcome of the work after the
/// inserts.
pub(super) async fn insert_together(
    context: &Context,
    definition: &'static ModelDefinition,
    documents: &[RawDocumentBuf],
    order: Order,
) -> (Vec<Result<()>>, Result<()>) {
    let inserted = write::insert_documents(context, definition, documents.to_vec()).await;
    match inserted {
        Ok(()) => return (documents.iter().map(|_| Ok(())).collect(), Ok(())),
        // The documents are committed.
        Err(error) if error.is_pending() => return (documents.iter().map(|_| Ok(())).collect(), Err(error)),
        Err(error) if documents.len() == 1 || context.in_transaction() || !error.writes_nothing() => {
            return (vec![Err(error.into_source())], Ok(()));
        }
        Err(_) => {}
    }
    let (mut outcomes, mut finished) = (Vec::new(), Ok(()));
    for document in documents {
        let mut inserted = write::insert_documents(context, definition, vec![document.clone()]).await;
        if inserted.as_ref().is_err_and(Error::is_pending) {
            finished = finished.and(std::mem::replace(&mut inserted, Ok(())));
        }
        let stops = order == Order::Ordered && inserted.is_err();
        outcomes.push(inserted.map_err(Error::into_source));
        if stops {
            break;
        }
    }
    (outcomes, finished)
}

/// An update that an effect must handle alone.
#[derive(Clone)]
struct AloneUpdate<'w> {
    definition: &'static ModelDefinition,
    write: &'w Write,
}

impl EngineWrite for AloneUpdate<'_> {
    type Prepared = RawDocumentBuf;
    type Answer = Result<Written, DriverError>;
    type Written = Alone;

    fn is_atomic(&self) -> bool {
        is_atomic(self.definition, &self.write.one())
    }

    async fn prepare(&mut self, context: &Context, _: u32) -> Result<(RawDocumentBuf, Effects)> {
        let AloneUpdate { definition, write } = *self;
        let demands = |effect: &dyn Effect| effect.demands(definition)(&write.one()) > Demand::None;
        let mut spec = write.spec().cloned().unwrap_or_default();
        let mut effects = Effects::of_alone(context, definition, &mut spec, demands).await?;
        effects.before_update(context, &mut spec).await?;
        Ok((statement(&spec.into_statement())?, effects))
    }

    async fn send(
        &mut self,
        context: &Context,
        update: RawDocumentBuf,
        _: &mut Effects,
    ) -> Result<Result<Written, DriverError>> {
        Ok(context.update_all(self.definition.collection, vec![update], true).await)
    }

    async fn settle(
        &mut self,
        context: &Context,
        effects: &mut Effects,
        answer: Result<Result<Written, DriverError>>,
    ) -> Result<Settled<Alone>> {
        let written = answer?;
        if let Ok(done) = &written {
            let refused = done.refused.first().map(|refused| server::refused_write(self.definition, refused.clone()));
            let is_there = self.write.is_upsert && refused.as_ref().is_some_and(Error::is_duplicate_id);
            // The preparation of the effects is taken back in any case.
            let is_overtaken = refused.as_ref().is_some_and(|error| effects.are_overtaken(context, error));
            let is_nothing = done.count == 0 && refused.is_none();
            if (is_nothing || is_there || is_overtaken) && (effects.try_again(context).await? | is_there | is_overtaken)
            {
                return Ok(Settled::Again);
            }
            if let Some(error) = refused.filter(|_| context.in_transaction()) {
                return Err(error);
            }
            let upserted: Vec<Bson> = done.upserted.iter().map(|(_, id)| id.clone()).collect();
            effects.note(Event::BulkDone(&upserted))?;
        }
        let is_over = is_over(&written);
        let alone = Alone { written, finished: Ok(()) };
        Ok(if is_over { Settled::Done(alone) } else { Settled::Unfinished(alone) })
    }

    /// Keeps the outcome of the work after the write beside the outcome of the write; an error in a transaction, which
    /// undoes the write.
    fn conclude(&self, context: &Context, alone: Alone, finished: Result<()>) -> Result<Alone> {
        if context.in_transaction() {
            finished?;
            return Ok(alone);
        }
        Ok(Alone { finished, ..alone })
    }
}

/// Returns whether the server is done with a command. While the server may still be at work, the work after the write
/// would miss later changes of the server, and is left to `recover`.
pub(super) fn is_over(written: &Result<Written, DriverError>) -> bool {
    written.as_ref().err().is_none_or(|error| Error::from(error.clone()).is_answered())
}

/// The outcome of a write that was sent alone.
pub(super) struct Alone {
    pub(super) written: Result<Written, DriverError>,
    pub(super) finished: Result<()>,
}
