//! The writes of a bulk of any model, and the sending of the writes.

use std::mem;

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, DateTime, Document, RawDocumentBuf};

use super::{
    BulkReport,
    command::{self, Size},
    fill, leftover, shared,
    statement::{Body, DeleteStatement, Kind, Sending, Write, sending, statement},
};
use crate::{
    changes::{Reach, UpdateSpec},
    definition::ModelDefinition,
    derived::effect::Event,
    derived::throttle::{Throttle, Throttler},
    error::{Error, Result},
    executor::{Context, Executor, Sent, Statement, in_commands},
    limits::COMMAND_WRITES,
    operation::{
        atomic::to_the_end,
        effects::Effects,
        managed,
        replace::{self, Put, Replacement},
    },
};

/// Writes that are collected before they are sent.
pub(super) struct Writes {
    definition: &'static ModelDefinition,
    writes: Vec<Write>,
    /// The first write that may not be sent: the position and the error.
    refused: Option<(usize, Error)>,
    /// The number of added writes.
    added: usize,
    pub(super) ordered: bool,
    /// The speed of the writes, and the progress callback.
    pub(super) throttle: Option<Throttle>,
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
            ordered: true,
            throttle: None,
            now: DateTime::now(),
        }
    }

    /// Returns the kinds of the writes, in order.
    pub(super) fn kinds(&self) -> impl Iterator<Item = Kind> {
        self.writes.iter().map(|write| write.kind)
    }

    pub(super) fn insert(&mut self, document: Result<RawDocumentBuf>) {
        let timed = document.and_then(|document| managed::timed(self.definition, document, self.now));
        self.add(timed.map(|document| Write::new(Kind::Insert, Body::Encoded(document))));
    }

    /// Adds an update, and the updates that go before the update.
    pub(super) fn update(&mut self, update: Result<(UpdateSpec, Vec<Sent>)>) {
        let write = update.and_then(|(spec, before)| {
            let before = before.into_iter().map(|sent| statement(&sent.into_statement(true)));
            let (before, stores_null) =
                (before.collect::<Result<_>>()?, spec.changes.iter().any(|change| has_null(&change.value)));
            Ok(Write { before, stores_null, ..Write::of_update(self.definition, spec)? })
        });
        self.add(write);
    }

    pub(super) fn replace(&mut self, put: Result<Put>) {
        let write = replace::in_bulk(put).and_then(|put| self.whole(put, false));
        self.add(write);
    }

    pub(super) fn upsert(&mut self, put: Result<Put>) {
        let write = replace::in_bulk_or_insert(put).and_then(|put| self.whole(put, true));
        self.add(write);
    }

    /// Returns a write that puts a whole value in the place of another value.
    fn whole(&self, (filter, replacement): (Document, Replacement), upsert: bool) -> Result<Write> {
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
        Box::pin(async move { to_the_end(db.context()?, definition, |context| Box::pin(self.send(context))).await })
    }

    async fn send(self, mut context: Context) -> Result<BulkReport<Bson>> {
        let Writes { definition, mut writes, refused, added, ordered, throttle, now } = self;
        let collection = definition.collection;
        if let Some((at, source)) = refused {
            let (index, not_tried, source) = (Some(at), added - 1, Box::new(source));
            return Err(Error::Bulk { collection, index, done: 0, failed: 1, not_tried, unknown: 0, source });
        }
        let mut effects = Effects::default();
        if definition.derives() {
            leftover::complete(&context, definition, &mut writes, now).await?;
        }
        if definition.fills() && !writes.is_empty() {
            context = context.majority();
            effects = fill::fill(&context, definition, &mut writes, throttle.as_ref()).await?;
        }
        let mut report = BulkReport::new(definition, writes.len());
        let sending = sending(definition);
        let mut may_hold_null = false;
        let mut size = |write: &Write| -> Result<Size> {
            let is_first = ordered && may_hold_null && !write.before.is_empty();
            may_hold_null = write.stores_null || may_hold_null && !is_first;
            Ok(Size { kind: write.kind, bytes: write.bytes()?, sending: sending(write), is_first })
        };
        let order = command::order(definition, &writes, ordered);
        let sizes: Vec<_> = order.iter().map(|at| size(&writes[*at])).collect::<Result<_>>()?;
        let most = throttle.as_ref().map_or(COMMAND_WRITES, |throttle| throttle.most().min(COMMAND_WRITES));
        let batches = command::batches(sizes.into_iter(), ordered, most);
        let mut throttler = throttle.as_ref().map(|throttle| Throttler::of(writes.len() as u64, throttle));
        let by_id = writes
            .iter()
            .filter_map(|write| write.must_match)
            .try_fold(0, |sum, must| (must > 0).then_some(sum + must));
        let (mut finished, mut all_over) = (Ok(()), true);
        for mut batch in batches {
            batch.positions.iter_mut().for_each(|at| *at = order[*at]);
            let before: Vec<_> = batch.positions.iter().flat_map(|at| mem::take(&mut writes[*at].before)).collect();
            for updates in in_commands(before.into_iter().map(Ok))? {
                // A refusal is ignored here: the server also refuses the write behind the update.
                context.update_all(collection, updates, false).await?;
            }
            if batch.sending == Sending::Shared && batch.kind == Kind::Insert {
                let of_batch = batch.positions.iter().map(|at| writes[*at].take_encoded());
                let of_batch = of_batch.collect::<Result<Vec<_>>>()?;
                let (inserted, followed) = fill::insert_together(&context, definition, &of_batch, ordered).await;
                report.add_each(&batch, inserted);
                finished = finished.and(followed);
            } else if batch.sending != Sending::Together {
                let followed = shared::send(&context, definition, &writes, &batch, ordered, &mut report).await;
                finished = finished.and(followed);
            } else {
                let of_batch = batch.positions.iter().map(|at| writes[*at].take_encoded()).collect::<Result<_>>()?;
                let written = match batch.kind {
                    Kind::Insert => context.insert_all(collection, of_batch, ordered).await,
                    Kind::Update => context.update_all(collection, of_batch, ordered).await,
                    Kind::Delete => context.delete_all(collection, of_batch, ordered).await,
                };
                all_over &= fill::is_over(&written);
                report.add(&batch, ordered, written);
            }
            if report.is_stopped(ordered || context.in_transaction()) {
                break;
            }
            if let Some(throttler) = &mut throttler {
                throttler.done(batch.positions.len() as u64);
                throttler.pause().await;
            }
        }
        if let Some(by_id) = by_id {
            report.count_unmatched(by_id);
        }
        if context.in_transaction()
            && report.is_stopped(true)
            && let Some(error) = report.take_error()
        {
            return Err(error);
        }
        let upserted: Vec<Bson> = report.counts.upserted_ids.values().cloned().collect();
        effects.note(Event::BulkDone(&upserted))?;
        if all_over {
            finished = effects.finish_some(&context).await.and(finished);
        }
        match finished {
            Err(error) if context.in_transaction() => Err(error),
            Err(error) => {
                report.note_pending(error);
                Ok(report)
            }
            Ok(()) => Ok(report),
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
