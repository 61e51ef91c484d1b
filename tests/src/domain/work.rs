//! The work of a client; a number selects the work.

use std::sync::{Mutex, PoisonError};

use mongodb::Database;
use schema_runtime::{Executor, Result, transaction};

use super::{Answer, Fact, Ledger, Other, ParcelWrite, SEVERAL, SINGLE, STAYING, ledger::is_refused, others::Whole};

/// A write and the numbers that select the documents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// A write of parcels.
    Parcel(ParcelWrite, [i64; 3]),
    /// A write of any document except parcels.
    Other(Other, [i64; 3]),
}

/// The work that a client does at once.
#[derive(Clone, Debug, PartialEq)]
pub enum Work {
    /// A single write.
    One(Step),
    /// A transaction: all of the writes or none.
    Transaction(Vec<Step>),
    /// A write of the whole database.
    Whole(Whole, i64),
}

/// Returns another number each time, computed from the number before.
pub(crate) fn next(number: &mut u64) -> u64 {
    *number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *number >> 33
}

impl Step {
    fn of(number: &mut u64) -> Self {
        let which = next(number) % 10;
        let numbers = [next(number), next(number), next(number)].map(|number| (number % 60) as i64);
        if which < 6 {
            Step::Parcel(ParcelWrite::ALL[next(number) as usize % ParcelWrite::ALL.len()], numbers)
        } else {
            Step::Other(Other::ALL[next(number) as usize % Other::ALL.len()], numbers)
        }
    }

    /// Returns true when the step deletes children.
    fn deletes(&self) -> bool {
        use ParcelWrite as W;
        matches!(
            self,
            Step::Parcel(W::Delete | W::DeleteOne | W::DeleteMany | W::Bulk | W::BulkUnordered, _)
                | Step::Other(Other::ScanDelete | Other::NoteDelete | Other::NodeDelete, _)
        )
    }

    async fn run(self, db: &impl Executor, ledger: &mut Ledger) -> Result<()> {
        // The futures are boxed: the futures of all writes in a single future are large.
        match self {
            Step::Parcel(write, numbers) => Box::pin(write.run(numbers, db, ledger)).await,
            Step::Other(write, numbers) => Box::pin(write.run(numbers, db, ledger)).await,
        }
    }
}

impl Work {
    /// Returns the work that this number selects.
    pub fn of(mut number: u64) -> Self {
        let number = &mut number;
        match next(number) % 12 {
            0 => {
                let mut steps: Vec<Step> = (0..1 + next(number) % 3).map(|_| Step::of(number)).collect();
                // A document that a transaction deletes exists until the commit: before the commit, an insert of the
                // same `_id` fails.
                if let Some(at) = steps.iter().position(Step::deletes) {
                    steps.truncate(at + 1);
                }
                Work::Transaction(steps)
            }
            1 => Work::Whole(Whole::ALL[next(number) as usize % Whole::ALL.len()], (next(number) % 60) as i64),
            _ => Work::One(Step::of(number)),
        }
    }

    /// Returns true when the validator may refuse the work: an upsert of a reference to a missing source has no copies
    /// to insert.
    pub fn may_be_invalid(&self) -> bool {
        let upserts =
            |step: &Step| matches!(step, Step::Parcel(ParcelWrite::Upsert, _) | Step::Other(Other::NodeUpsert, _));
        match self {
            Work::One(step) => upserts(step),
            Work::Transaction(steps) => steps.iter().any(upserts),
            Work::Whole(..) => false,
        }
    }

    /// Returns the ledger of all possible results of the work, for a client that stopped during the work.
    pub fn unknown(&self) -> Ledger {
        let mut ledger = Ledger::default();
        let steps = match self {
            Work::One(step) => std::slice::from_ref(step),
            Work::Transaction(steps) => steps,
            Work::Whole(..) => &[],
        };
        for step in steps {
            let (Step::Parcel(_, [_, _, by]) | Step::Other(_, [_, _, by])) = step;
            let more = 1 + by.rem_euclid(9);
            ledger.add(Answer::Unknown, STAYING.flat_map(|id| [(Fact::Weight(id), more), (Fact::Hits(id), more)]));
            let ids = SINGLE.map(Fact::Parcel).chain((1..6).map(Fact::Scan)).chain((1..6).map(Fact::Node));
            ledger.add(Answer::Unknown, ids.flat_map(|fact| [(fact, 1), (fact, -1)]));
            let several = SEVERAL.end - SEVERAL.start;
            ledger.add(Answer::Unknown, [(Fact::Several, several), (Fact::Several, -several)]);
        }
        ledger
    }

    /// Does the work, and records the answer.
    ///
    /// # Errors
    /// The errors of the writes.
    pub async fn run(&self, db: &Database, ledger: &mut Ledger) -> Result<()> {
        let result = match self {
            Work::One(step) => step.run(db, ledger).await,
            Work::Transaction(steps) => together(steps, db, ledger).await,
            Work::Whole(whole, at) => Box::pin(whole.run(*at, db)).await,
        };
        match &result {
            Ok(()) => ledger.acknowledged += 1,
            Err(error) if is_refused(error) => ledger.refused += 1,
            Err(_) => ledger.unknown += 1,
        }
        result
    }
}

async fn together(steps: &[Step], db: &Database, ledger: &mut Ledger) -> Result<()> {
    // The ledger of the last attempt counts.
    let attempt = Mutex::new(Ledger::default());
    let committed = transaction(db, |tx| {
        let attempt = &attempt;
        async move {
            let mut own = Ledger::default();
            let mut result = Ok(());
            for step in steps {
                result = step.run(&tx, &mut own).await;
                if result.is_err() {
                    break;
                }
            }
            *attempt.lock().unwrap_or_else(PoisonError::into_inner) = own;
            result
        }
    })
    .await;
    let attempt = attempt.into_inner().unwrap_or_else(PoisonError::into_inner);
    match committed.as_ref().map_or_else(Answer::by, |()| Answer::Done) {
        Answer::Done => ledger.join(attempt),
        Answer::NotDone => {}
        Answer::Unknown => ledger.join_unknown(attempt),
    }
    committed
}
