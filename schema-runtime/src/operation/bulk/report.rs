//! What became of the writes of a bulk.

use std::{collections::BTreeMap, mem};

use mongodb::{
    bson::Bson,
    error::{Error as DriverError, ErrorKind, WriteFailure},
};
use serde::de::DeserializeOwned;

use super::{command::Batch, statement::Kind};
use crate::{
    definition::ModelDefinition,
    error::{Error, Result, code, server},
    executor::Written,
    read,
};

/// What became of the writes of a [`Bulk`](super::Bulk); `I` is the type of the `_id`s. A position is that of the write in the bulk,
/// from 0 on.
///
/// The server tells for each write whether it was propagated out, and how many documents matched or were deleted for all of a
/// command together. (MongoDB 8.0 is the first to tell it for each, by a command of its own.)
#[derive(Debug)]
#[must_use = "a write that failed is in the report: `complete()` makes it an error"]
#[non_exhaustive]
pub struct BulkReport<I> {
    /// How many documents.
    pub counts: BulkCounts<I>,
    definition: &'static ModelDefinition,
    outcomes: Vec<BulkOutcome>,
    failure: Option<Error>,
}

/// How many documents a [`Bulk`](super::Bulk) wrote.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BulkCounts<I> {
    /// How many were inserted.
    pub inserted: u64,
    /// How many updates and replaces matched.
    pub matched: u64,
    /// How many of them are not as they were.
    pub modified: u64,
    /// How many were deleted.
    pub deleted: u64,
    /// The `_id`s of those that upserts inserted, by the positions of these.
    pub upserted_ids: BTreeMap<usize, I>,
    /// How many updates by `_id` and replaces found no document, or one whose array has no capacity. `None` when it cannot be
    /// known: where updates by a filter are among them, or some were not propagated out.
    pub unmatched: Option<u64>,
}

/// What became of one write of a [`Bulk`](super::Bulk).
#[derive(Debug)]
#[non_exhaustive]
pub enum BulkOutcome {
    /// The server propagated it out. An update, a replace or a delete may have matched nothing.
    Done,
    /// It was refused. Nothing of it was written.
    Failed(Error),
    /// It was not sent, or the server stopped before it.
    NotTried,
    /// It was sent, and no answer came: it may be done or not.
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

    /// Takes in what a command gave.
    pub(super) fn add(&mut self, batch: &Batch, ordered: bool, written: Result<Written, DriverError>) {
        match written {
            Ok(written) => self.add_written(batch, ordered, written),
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

    /// Takes in a failure of what belongs to a write, or of the write itself: it may be done or not.
    pub(super) fn fail(&mut self, batch: &Batch, error: Error) {
        batch.positions.iter().for_each(|at| self.outcomes[*at] = BulkOutcome::Unknown);
        self.failure = Some(error);
    }

    /// Takes in what became of the first writes of a batch, each by itself.
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

    /// What follows the writes that are done is not. A failure of the writes themselves comes first.
    pub(super) fn note_pending(&mut self, error: Error) {
        self.failure.get_or_insert(error);
    }

    fn add_written(&mut self, batch: &Batch, ordered: bool, written: Written) {
        let tried = match written.refused.first() {
            Some(first) if ordered => first.index + 1,
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

    /// Counts those by `_id`, when there are no updates but these and all are done.
    pub(super) fn count_unmatched(&mut self, by_id: u64) {
        if self.outcomes.iter().all(|outcome| matches!(outcome, BulkOutcome::Done)) {
            self.counts.unmatched =
                Some(by_id.saturating_sub(self.counts.matched + self.counts.upserted_ids.len() as u64));
        }
    }

    /// The same with the `_id`s as their model has them.
    pub(super) fn typed<I: DeserializeOwned>(self) -> BulkReport<I> {
        let BulkReport { counts, definition, outcomes, mut failure } = self;
        let BulkCounts { inserted, matched, modified, deleted, upserted_ids: untyped, unmatched } = counts;
        let mut upserted_ids = BTreeMap::new();
        for (at, id) in untyped {
            match read::decode_value(definition.collection, id) {
                Ok(id) => drop(upserted_ids.insert(at, id)),
                Err(error) => failure = Some(error),
            }
        }
        let counts = BulkCounts { inserted, matched, modified, deleted, upserted_ids, unmatched };
        BulkReport { counts, definition, outcomes, failure }
    }

    /// Whether nothing more is sent: after a failure of a command, and after a refused write of an ordered bulk.
    pub(super) fn is_stopped(&self, ordered: bool) -> bool {
        self.failure.is_some() || ordered && self.failures().next().is_some()
    }
}

impl<I> BulkReport<I> {
    /// What became of each write, by its position.
    pub fn outcomes(&self) -> &[BulkOutcome] {
        &self.outcomes
    }

    /// The writes that were refused, by their positions, and why.
    pub fn failures(&self) -> impl Iterator<Item = (usize, &Error)> {
        self.outcomes.iter().enumerate().filter_map(|(at, outcome)| match outcome {
            BulkOutcome::Failed(error) => Some((at, error)),
            _ => None,
        })
    }

    /// A failure that is not about one write: a lost connection, a time limit, a write concern that was not met; or that what is
    /// derived from the writes that are done is not ([`Error::CopiesPending`]).
    pub fn failure(&self) -> Option<&Error> {
        self.failure.as_ref()
    }

    /// The counts, if all writes are done, and those by `_id` found their documents as far as that is known.
    ///
    /// # Errors
    /// [`Error::Bulk`] with the counts and the first cause.
    pub fn complete(mut self) -> Result<BulkCounts<I>> {
        match self.take_error() {
            Some(error) => Err(error),
            None => Ok(self.counts),
        }
    }

    /// What [`complete`](BulkReport::complete) fails with; the first cause is then no longer here.
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
