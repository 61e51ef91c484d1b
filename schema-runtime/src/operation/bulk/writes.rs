//! The writes of a bulk of any model, and the sending of the writes.

use std::{mem, sync::Arc};

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, DateTime, Document, RawDocumentBuf};

use super::{
    BulkReport,
    command::{self, Batch, Order, Size},
    fill, leftover, shared,
    statement::{Body, DeleteStatement, Kind, Sending, Write, sending, statement},
};
use crate::{
    changes::{IfAbsent, Reach, UpdateSpec},
    definition::ModelDefinition,
    derived::effect::Event,
    derived::throttle::{Throttle, Throttler},
    error::{Error, Result},
    executor::{Context, Executor, OperationOptions, Statement, UpdateRequest, in_commands},
    limits::COMMAND_WRITES,
    operation::{
        atomic::to_the_end,
        engine::{self, EngineWrite, Settled},
        managed,
        replace::{self, Place, Put, Replacement},
        write_effects::Effects,
    },
};

/// Writes that are collected before they are sent.
#[derive(Clone)]
pub(super) struct Writes {
    definition: &'static ModelDefinition,
    writes: Vec<Write>,
    /// The first write that may not be sent: the position and the error.
    refused: Option<(usize, Error)>,
    /// The number of added writes.
    added: usize,
    pub(super) order: Order,
    /// The speed of the writes, and the progress callback.
    pub(super) throttle: Option<Throttle>,
    pub(super) options: Option<Arc<OperationOptions>>,
    /// The time of the insert of all inserted documents.
    now: DateTime,
}

impl Writes {
    pub(super) fn new(definition: &'static ModelDefinition) -> Self {
        Writes {
            definition,
            writes: Vec::new(),
            refused: None,
            added: 0,
            order: Order::Ordered,
            throttle: None,
            options: None,
            now: DateTime::now(),
        }
    }

    /// Returns the kinds of the writes, in order.
    pub(super) fn kinds(&self) -> impl Iterator<Item = Kind> {
        self.writes.iter().map(|write| write.kind)
    }

    pub(super) fn insert(&mut self, document: Result<RawDocumentBuf>) {
        let insertable = document.and_then(|document| managed::insertable(self.definition, document, self.now));
        self.add(insertable.map(|document| Write::new(Kind::Insert, Body::Encoded(document))));
    }

    /// Adds an update, and the updates that go before the update.
    pub(super) fn update(&mut self, update: Result<(UpdateSpec, Vec<UpdateRequest>)>) {
        let write = update.and_then(|(spec, before)| {
            let before = before.into_iter().map(|sent| statement(&sent.into_statement(true)));
            let (before, stores_null) =
                (before.collect::<Result<_>>()?, spec.changes.iter().any(|change| has_null(&change.value)));
            Ok(Write { before, stores_null, ..Write::of_update(self.definition, spec)? })
        });
        self.add(write);
    }

    pub(super) fn replace(&mut self, put: Result<Put>) {
        let write = replace::in_bulk(put).and_then(|put| self.replacing(put, IfAbsent::Ignore));
        self.add(write);
    }

    pub(super) fn upsert(&mut self, put: Result<Put>) {
        let write = replace::in_bulk_or_insert(put).and_then(|put| self.replacing(put, IfAbsent::Insert));
        self.add(write);
    }

    /// Returns a write that puts a whole value in the place of another value.
    fn replacing(&self, (place, replacement): (Place, Replacement), if_absent: IfAbsent) -> Result<Write> {
        let (filter, guarded) = (place.filter(), place.is_guarded());
        let write = self.replacing_found(filter, replacement, if_absent)?;
        Ok(Write { place: guarded.then(|| Box::new(place)), ..write })
    }

    fn replacing_found(&self, filter: Document, replacement: Replacement, if_absent: IfAbsent) -> Result<Write> {
        let upsert = if_absent == IfAbsent::Insert;
        let encoded = match replacement {
            Replacement::Update(changes) => {
                let touched = self.definition.with_slugs(changes.paths().map(str::to_owned).collect());
                let reach = Reach::ById;
                let spec =
                    UpdateSpec { filter, changes, touched, reach, upsert, is_whole: true, ..UpdateSpec::default() };
                return Write::of_update(self.definition, spec);
            }
            Replacement::Document(document) => {
                statement(&Statement { upsert, ..Statement::new(filter, document, false) })?
            }
            Replacement::Pipeline(pipeline) => {
                statement(&Statement { upsert, ..Statement::new(filter, pipeline, false) })?
            }
        };
        let write = Write::new(Kind::Update, Body::Encoded(encoded));
        Ok(Write { must_match: Some(1), is_upsert: upsert, is_whole: true, ..write })
    }

    /// Adds a delete of at most `limit` documents that match; 0 deletes all.
    pub(super) fn delete(&mut self, filter: Result<Document>, limit: i32) {
        let delete = filter.and_then(|q| statement(&DeleteStatement { q, limit }));
        self.add(delete.map(|delete| Write::new(Kind::Delete, Body::Encoded(delete))));
    }

    fn add(&mut self, write: Result<Write>) {
        self.added += 1;
        if self.refused.is_none() {
            match write {
                Ok(write) => self.writes.push(write),
                Err(error) => self.refused = Some((self.writes.len(), error)),
            }
        }
    }

    pub(super) fn execute(self, db: &dyn Executor) -> BoxFuture<'_, Result<BulkReport<Bson>>> {
        let definition = self.definition;
        Box::pin(async move {
            let context = db.context()?.with(self.options.as_deref())?.comparing(definition.texts_of_writes());
            context.refuse_selection("a bulk write")?;
            to_the_end(context, definition, |context| Box::pin(self.send_all(context))).await
        })
    }

    async fn send_all(mut self, context: Context) -> Result<BulkReport<Bson>> {
        let definition = self.definition;
        if let Some((at, source)) = self.refused {
            let (collection, index, not_tried) = (definition.collection, Some(at), self.added - 1);
            let source = Box::new(source);
            return Err(Error::Bulk { collection, index, done: 0, failed: 1, not_tried, unknown: 0, source });
        }
        if definition.derives() {
            leftover::complete(&context, definition, &mut self.writes, self.now).await?;
        }
        let context = if definition.fills() && !self.writes.is_empty() { context.majority() } else { context };
        Ok(engine::run(&context, self).await?.report)
    }

    /// Groups the writes into batches, each with the positions of its writes in the bulk.
    fn batches(&self, writes: &[Write]) -> Result<Vec<Batch>> {
        let (sending, order) = (sending(self.definition), self.order);
        let mut may_hold_null = false;
        let mut size = |write: &Write| -> Result<Size> {
            let is_first = order == Order::Ordered && may_hold_null && !write.before.is_empty();
            may_hold_null = write.stores_null || may_hold_null && !is_first;
            Ok(Size { kind: write.kind, bytes: write.bytes()?, sending: sending(write), is_first })
        };
        let positions = command::positions(self.definition, writes, order);
        let sizes: Vec<_> = positions.iter().map(|at| size(&writes[*at])).collect::<Result<_>>()?;
        let most = self.throttle.as_ref().map_or(COMMAND_WRITES, |throttle| throttle.most().min(COMMAND_WRITES));
        let mut batches = command::batches(sizes.into_iter(), order, most);
        batches.iter_mut().flat_map(|batch| &mut batch.positions).for_each(|at| *at = positions[*at]);
        Ok(batches)
    }

    /// Sends a batch, adds the outcome to the answer, and returns the outcome of the work after the writes.
    async fn send_batch(
        &self,
        context: &Context,
        writes: &mut [Write],
        batch: &Batch,
        answer: &mut BulkAnswer,
    ) -> Result<()> {
        let (definition, collection, order) = (self.definition, self.definition.collection, self.order);
        let own = if definition.fills() { context.along().majority() } else { context.along() };
        let before: Vec<_> = batch.positions.iter().flat_map(|at| mem::take(&mut writes[*at].before)).collect();
        for updates in in_commands(before.into_iter().map(Ok))? {
            // A refusal is ignored here: the server also refuses the write behind the update.
            own.update_all(collection, updates, false).await?;
        }
        let report = &mut answer.report;
        let followed = match (batch.sending, batch.kind) {
            (Sending::Shared, Kind::Insert) => {
                let of_batch = take_batch(writes, batch)?;
                let (inserted, followed) = fill::insert_together(context, definition, &of_batch, order).await;
                report.add_each(batch, inserted);
                followed
            }
            (Sending::Shared | Sending::Alone, _) => {
                shared::send(context, definition, writes, batch, order, report).await
            }
            (Sending::Together, kind) => {
                let of_batch = take_batch(writes, batch)?;
                let ordered = order == Order::Ordered;
                let written = match kind {
                    Kind::Insert => own.insert_all(collection, of_batch, ordered).await,
                    Kind::Update => own.update_all(collection, of_batch, ordered).await,
                    Kind::Delete => own.delete_all(collection, of_batch, ordered).await,
                };
                answer.all_over &= fill::is_over(&written);
                report.add(batch, order, written);
                return Ok(());
            }
        };
        if answer.followed.is_ok() {
            answer.followed = followed;
        }
        Ok(())
    }
}

/// Takes the writes of a batch in the form that the server takes in a list of writes.
fn take_batch(writes: &mut [Write], batch: &Batch) -> Result<Vec<RawDocumentBuf>> {
    batch.positions.iter().map(|at| writes[*at].take_encoded()).collect()
}

/// The answers to the commands of a bulk.
pub(super) struct BulkAnswer {
    report: BulkReport<Bson>,
    /// The outcome of the work after the writes that were sent with all effects.
    followed: Result<()>,
    /// False when the server may still be at work.
    all_over: bool,
}

/// A bulk has one attempt. Writes that share a transaction, or that an effect must handle alone, are writes of the
/// engine inside of the attempt.
impl EngineWrite for Writes {
    type Prepared = Vec<Write>;
    type Answer = BulkAnswer;
    type Written = BulkAnswer;

    fn is_atomic(&self) -> bool {
        false
    }

    async fn prepare(&mut self, context: &Context, _: u32) -> Result<(Vec<Write>, Effects)> {
        let mut writes = mem::take(&mut self.writes);
        let effects = match self.definition.fills() && !writes.is_empty() {
            true => fill::fill(context, self.definition, &mut writes, self.throttle.as_ref()).await?,
            false => Effects::default(),
        };
        Ok((writes, effects))
    }

    async fn send(&mut self, context: &Context, mut writes: Vec<Write>, _: &mut Effects) -> Result<BulkAnswer> {
        let report = BulkReport::new(self.definition, writes.len());
        let mut answer = BulkAnswer { report, followed: Ok(()), all_over: true };
        let batches = self.batches(&writes)?;
        let mut throttler = self.throttle.as_ref().map(|throttle| Throttler::of(writes.len() as u64, throttle));
        let places: Vec<(usize, Box<Place>)> =
            writes.iter_mut().enumerate().filter_map(|(at, write)| Some((at, write.place.take()?))).collect();
        let by_id = writes
            .iter()
            .filter_map(|write| write.must_match)
            .try_fold(0, |sum, must| (must > 0).then_some(sum + must));
        for batch in batches {
            self.send_batch(context, &mut writes, &batch, &mut answer).await?;
            if answer.report.is_stopped(context, self.order) {
                break;
            }
            if let Some(throttler) = &mut throttler {
                throttler.done(batch.positions.len() as u64);
                throttler.pause().await;
            }
        }
        if let Some(by_id) = by_id {
            answer.report.count_unmatched(by_id);
        }
        answer.report.refuse_changed(context, &places).await?;
        Ok(answer)
    }

    async fn settle(
        &mut self,
        context: &Context,
        effects: &mut Effects,
        answer: Result<BulkAnswer>,
    ) -> Result<Settled<BulkAnswer>> {
        let mut answer = answer?;
        if context.in_transaction()
            && answer.report.is_stopped(context, self.order)
            && let Some(error) = answer.report.take_error()
        {
            return Err(error);
        }
        let upserted: Vec<Bson> = answer.report.counts.upserted_ids.values().cloned().collect();
        effects.note(Event::BulkDone(&upserted))?;
        if !answer.all_over {
            return Ok(Settled::Unfinished(answer));
        }
        effects.note(Event::InsertedSome)?;
        Ok(Settled::Done(answer))
    }

    fn conclude(&self, context: &Context, mut answer: BulkAnswer, finished: Result<()>) -> Result<BulkAnswer> {
        let followed = mem::replace(&mut answer.followed, Ok(()));
        match finished.and(followed) {
            Err(error) if context.in_transaction() => Err(error),
            Err(error) => {
                answer.report.note_pending(error);
                Ok(answer)
            }
            Ok(()) => Ok(answer),
        }
    }
}

/// Returns whether a value contains a null.
fn has_null(value: &Bson) -> bool {
    match value {
        Bson::Null => true,
        Bson::Document(fields) => fields.values().any(has_null),
        Bson::Array(elements) => elements.iter().any(has_null),
        _ => false,
    }
}
