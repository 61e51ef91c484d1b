//! The outcomes of the writes of a bulk.

use std::{collections::BTreeMap, mem};

use mongodb::{
    bson::Bson,
    error::{Error as DriverError, ErrorKind, WriteFailure},
};

use super::{
    command::{Batch, Order},
    statement::Kind,
};
use crate::{
    definition::ModelDefinition,
    error::{Error, Result, code, server},
    executor::{Context, Written},
    model::Identifier,
    operation::replace::{self, Place},
    read,
};

/// The outcomes of the writes of a [`Bulk`](super::Bulk); `I` is the type of the `_id`s. A position is the position of
/// the write in the bulk, counted from 0.
///
/// The server says for each write whether the write was carried out. The server gives only the total of matched or
/// deleted documents for all writes of a command. (MongoDB 8.0 is the first version that gives the number for each
/// write, by a command of its own.)
#[derive(Debug)]
#[must_use = "a failed write is in the report: `complete()` turns the failure into an error"]
#[non_exhaustive]
pub struct BulkReport<I> {
    /// The numbers of documents.
    pub counts: BulkCounts<I>,
    definition: &'static ModelDefinition,
    outcomes: Vec<BulkOutcome>,
    failure: Option<Error>,
}

/// The numbers of documents that a [`Bulk`](super::Bulk) wrote.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BulkCounts<I> {
    /// The number of inserted documents.
    pub inserted: u64,
    /// The number of documents that updates and replaces matched.
    pub matched: u64,
    /// The number of matched documents that were changed.
    pub modified: u64,
    /// The number of deleted documents.
    pub deleted: u64,
    /// The `_id`s of the documents that upserts inserted, by the positions of the upserts.
    pub upserted_ids: BTreeMap<usize, I>,
    /// The number of updates by `_id` and replaces that found no document, a document whose array has no capacity, or a
    /// document whose number would break a limit.
    /// `None` when the number is unknown: when the bulk has updates by a filter, or when some writes were not carried
    /// out.
    pub unmatched: Option<u64>,
}

/// The outcome of one write of a [`Bulk`](super::Bulk).
#[derive(Debug)]
#[non_exhaustive]
pub enum BulkOutcome {
    /// The server carried out the write. An update, a replace or a delete may have matched nothing.
    Done,
    /// The write was refused. No part of the write was written.
    Failed(Error),
    /// The write was not sent, or the server stopped before the write.
    NotTried,
    /// The write was sent, and no answer came: the write may be done or not.
    Unknown,
}

impl BulkReport<Bson> {
    pub(super) fn new(definition: &'static ModelDefinition, writes: usize) -> Self {
        let counts = BulkCounts {
            inserted: 0,
            matched: 0,
            modified: 0,
            deleted: 0,
            upserted_ids: BTreeMap::new(),
            unmatched: None,
        };
        BulkReport {
            counts,
            definition,
            outcomes: std::iter::repeat_with(|| BulkOutcome::NotTried).take(writes).collect(),
            failure: None,
        }
    }

    /// Adds the outcome of a command.
    pub(super) fn add(&mut self, batch: &Batch, order: Order, written: Result<Written, DriverError>) {
        match written {
            Ok(written) => self.add_written(batch, order, written),
            Err(error) => {
                let code = code::server_code(&error);
                let error = Error::from(error);
                let not_done =
                    matches!(error, Error::Connection { sent: false, .. }) || code == Some(code::UNAUTHORIZED);
                if !not_done {
                    batch.positions.iter().for_each(|at| self.outcomes[*at] = BulkOutcome::Unknown);
                }
                self.failure = Some(error);
            }
        }
    }

    /// Adds a failure of the writes or of their effects: the writes may be done or not.
    pub(super) fn fail(&mut self, batch: &Batch, error: Error) {
        batch.positions.iter().for_each(|at| self.outcomes[*at] = BulkOutcome::Unknown);
        self.failure = Some(error);
    }

    /// Adds the outcomes of the first writes of a batch, each sent by itself.
    pub(super) fn add_each(&mut self, batch: &Batch, outcomes: Vec<Result<()>>) {
        for (at, outcome) in batch.positions.iter().zip(outcomes) {
            self.outcomes[*at] = match outcome {
                Ok(()) => BulkOutcome::Done,
                Err(error) if error.writes_nothing() => BulkOutcome::Failed(error),
                Err(error) => {
                    self.failure = Some(error);
                    BulkOutcome::Unknown
                }
            };
            if let (BulkOutcome::Done, Kind::Insert) = (&self.outcomes[*at], batch.kind) {
                self.counts.inserted += 1;
            }
        }
    }

    /// Notes a failure of the work after the finished writes. A failure of the writes themselves takes precedence.
    pub(super) fn note_pending(&mut self, error: Error) {
        self.failure.get_or_insert(error);
    }

    fn add_written(&mut self, batch: &Batch, order: Order, written: Written) {
        let tried = match written.refused.first() {
            Some(first) if order == Order::Ordered => first.index + 1,
            _ => batch.positions.len(),
        };
        batch.positions[..tried].iter().for_each(|at| self.outcomes[*at] = BulkOutcome::Done);
        for refused in written.refused {
            let at = batch.positions[refused.index];
            self.outcomes[at] = BulkOutcome::Failed(server::refused_write(self.definition, refused));
        }
        match batch.kind {
            Kind::Insert => self.counts.inserted += written.count,
            Kind::Delete => self.counts.deleted += written.count,
            Kind::Update => {
                self.counts.matched += written.count.saturating_sub(written.upserted.len() as u64);
                self.counts.modified += written.modified;
            }
        }
        let upserted = written.upserted.into_iter().map(|(index, id)| (batch.positions[index], id));
        self.counts.upserted_ids.extend(upserted);
        if let Some(unmet) = written.unmet {
            let unmet = ErrorKind::Write(WriteFailure::WriteConcernError(unmet));
            self.failure = Some(DriverError::from(unmet).into());
        }
    }

    /// Counts the writes by `_id` that matched nothing, when the bulk has no other updates and all writes are done.
    pub(super) fn count_unmatched(&mut self, by_id: u64) {
        if self.outcomes.iter().all(|outcome| matches!(outcome, BulkOutcome::Done)) {
            self.counts.unmatched =
                Some(by_id.saturating_sub(self.counts.matched + self.counts.upserted_ids.len() as u64));
        }
    }

    /// Notes the replaces that found other values of immutable fields. Asks the server only where a replace may have
    /// found nothing.
    pub(super) async fn refuse_changed(&mut self, context: &Context, places: &[(usize, Box<Place>)]) -> Result<()> {
        if places.is_empty() || self.counts.unmatched == Some(0) || self.is_stopped(context, Order::Unordered) {
            return Ok(());
        }
        let is_done = |(at, _): &&(usize, Box<Place>)| matches!(self.outcomes[*at], BulkOutcome::Done);
        let places: Vec<(usize, &Place)> = places.iter().filter(is_done).map(|(at, place)| (*at, &**place)).collect();
        for (at, error) in replace::refused(context, &places).await? {
            self.outcomes[at] = BulkOutcome::Failed(error);
            self.counts.unmatched = self.counts.unmatched.map(|unmatched| unmatched.saturating_sub(1));
        }
        Ok(())
    }

    /// Converts the `_id`s to the type of the model.
    pub(super) fn typed<I: Identifier>(self) -> BulkReport<I> {
        let BulkReport { counts, definition, outcomes, mut failure } = self;
        let BulkCounts { inserted, matched, modified, deleted, upserted_ids: untyped, unmatched } = counts;
        let mut upserted_ids = BTreeMap::new();
        for (at, id) in untyped {
            match read::decode_value(definition.collection, Some(&I::SHAPE), id) {
                Ok(id) => drop(upserted_ids.insert(at, id)),
                Err(error) => failure = Some(error),
            }
        }
        let counts = BulkCounts { inserted, matched, modified, deleted, upserted_ids, unmatched };
        BulkReport { counts, definition, outcomes, failure }
    }

    /// Returns whether the bulk stops: after a failure of a command, and after a refused write of an ordered bulk or of
    /// a transaction, which the refusal has ended.
    pub(super) fn is_stopped(&self, context: &Context, order: Order) -> bool {
        let stops_when_refused = order == Order::Ordered || context.in_transaction();
        self.failure.is_some() || stops_when_refused && self.failures().next().is_some()
    }
}

impl<I> BulkReport<I> {
    /// Returns the outcome of each write, by position.
    pub fn outcomes(&self) -> &[BulkOutcome] {
        &self.outcomes
    }

    /// Returns the positions and the errors of the refused writes.
    pub fn failures(&self) -> impl Iterator<Item = (usize, &Error)> {
        self.outcomes.iter().enumerate().filter_map(|(at, outcome)| match outcome {
            BulkOutcome::Failed(error) => Some((at, error)),
            _ => None,
        })
    }

    /// Returns a failure that does not concern a single write: a lost connection, a time limit, a write concern that
    /// was not met, or missing derived data of finished writes ([`Error::CopiesPending`]).
    pub fn failure(&self) -> Option<&Error> {
        self.failure.as_ref()
    }

    /// Returns the counts, if all writes are done, and the writes by `_id` found their documents as far as the report
    /// knows.
    ///
    /// # Errors
    /// [`Error::Bulk`] with the counts and the first cause.
    pub fn complete(mut self) -> Result<BulkCounts<I>> {
        match self.take_error() {
            Some(error) => Err(error),
            None => Ok(self.counts),
        }
    }

    /// Takes the error of [`complete`](BulkReport::complete); the report then no longer has the first cause.
    pub(super) fn take_error(&mut self) -> Option<Error> {
        let count = |is: fn(&BulkOutcome) -> bool| self.outcomes.iter().filter(|outcome| is(outcome)).count();
        let [done, failed, not_tried, unknown] = [
            count(|outcome| matches!(outcome, BulkOutcome::Done)),
            count(|outcome| matches!(outcome, BulkOutcome::Failed(_))),
            count(|outcome| matches!(outcome, BulkOutcome::NotTried)),
            count(|outcome| matches!(outcome, BulkOutcome::Unknown)),
        ];
        let ModelDefinition { model, collection, .. } = *self.definition;
        let index = self.outcomes.iter().position(|outcome| matches!(outcome, BulkOutcome::Failed(_)));
        let first = index.map(|at| mem::replace(&mut self.outcomes[at], BulkOutcome::NotTried));
        let source = match (first, self.failure.take()) {
            (Some(BulkOutcome::Failed(error)), _) | (_, Some(error)) => error,
            _ if self.counts.unmatched.is_some_and(|unmatched| unmatched > 0) => Error::NotFound { model, collection },
            _ => return None,
        };
        Some(Error::Bulk { collection, index, done, failed, not_tried, unknown, source: Box::new(source) })
    }
}
