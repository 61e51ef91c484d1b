//! The maintenance of derived data. `verify` walks over the documents of each place with derived data and finds faults;
//! `repair` also rewrites the faults, and `backfill` rewrites the faults of some documents. `recover` completes pending
//! work. Each kind of derived data implements [`Maintenance`], and a place implements [`Place`].

mod report;

use std::{collections::HashSet, time::Duration};

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document};

pub use report::{MaintenanceEntry, MaintenanceExample, MaintenanceKind, MaintenanceReport};

use super::{
    effect::Writer,
    throttle::{Throttle, Throttler},
};
use crate::{definition::ModelDefinition, error::Result, executor::Context, key::Key, read::Walk};

/// The task of a walk.
#[derive(Clone, Copy)]
pub(crate) enum Task {
    /// To find faults.
    Verify,
    /// To find and rewrite faults.
    Repair(Writer),
    /// To fill data that was declared after the documents were written.
    Backfill,
}

/// The entries of a report about one kind of derived data.
pub(crate) type Entries<'a> = BoxFuture<'a, Result<Vec<MaintenanceEntry>>>;

/// A recovery of the work that stopped clients have left behind.
#[derive(Clone, Copy)]
pub(crate) struct Recovery<'a> {
    pub(crate) models: &'a [&'static ModelDefinition],
    pub(crate) context: &'a Context,
    pub(crate) throttle: &'a Throttle,
    /// The age of a mark from which the writer counts as stopped; zero for all marks.
    pub(crate) grace: Duration,
    /// The deletes and updates with all effects that are left behind the delete rules.
    pub(crate) writer: Writer,
}

/// A kind of derived data.
pub(crate) trait Maintenance: Sync {
    /// Returns the places of the models that the task walks over.
    fn places(&self, models: &[&'static ModelDefinition], task: Task) -> Vec<Box<dyn Place>>;

    /// Counts the pending work of the documents of a model, by an index.
    fn pending<'a>(&'a self, _: &'static ModelDefinition, _: &'a Context) -> Entries<'a> {
        Box::pin(async { Ok(Vec::new()) })
    }

    /// Returns whether the writes of a schema can leave pending work of this kind behind.
    fn leaves_work(&self, _: &[&'static ModelDefinition]) -> bool {
        false
    }

    /// Completes the pending work of stopped clients. May run beside all writers and beside a second recovery.
    fn recover<'a>(&'a self, _: Recovery<'a>) -> Entries<'a> {
        Box::pin(async { Ok(Vec::new()) })
    }

    /// Returns whether the recovery runs before the recovery of all other kinds, and again after an error, since the
    /// pending work of another kind may block the recovery.
    fn recovers_first(&self) -> bool {
        false
    }
}

/// The documents of a model with derived data at one path. May find and rewrite faults beside all writers.
pub(crate) trait Place: Send + Sync {
    /// Returns the model and the path for a report.
    fn name(&self) -> (&'static str, String);

    /// Returns the walk over the documents. The `context` has the concerns of the caller.
    fn walk(&self, context: &Context) -> Walk;

    /// Finds the faults of a chunk of the walk. A fault is certain: writes on the way are no faults.
    fn faults<'a>(&'a mut self, context: &'a Context, chunk: Vec<Document>) -> BoxFuture<'a, Result<Vec<Fault>>>;

    /// Completes the work that has to be done before faults are rewritten.
    fn prepare<'a>(&'a self, _: &'a Context) -> BoxFuture<'a, Result<()>> {
        Box::pin(async { Ok(()) })
    }

    /// Rewrites a document that still has the fault, and returns the number of written documents. Returns `None` for a
    /// fault that stays.
    fn rewrite<'a>(&'a self, _: &'a Context, _: &'a Fault) -> BoxFuture<'a, Result<Option<u64>>> {
        Box::pin(async { Ok(None) })
    }

    /// Rewrites the faults of the last chunk.
    fn rewrite_chunk<'a>(
        &'a mut self,
        context: &'a Context,
        _: &'a Throttle,
        faults: Vec<Fault>,
        tally: &'a mut Tally,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            for fault in faults {
                match self.rewrite(context, &fault).await {
                    Ok(None) => tally.leave(fault),
                    Ok(Some(0)) => {}
                    Ok(Some(written)) => tally.entry(fault.kind).add(1, written),
                    Err(error) if error.writes_nothing() => {
                        tally.entry(fault.kind).refused += 1;
                        tally.leave(fault);
                    }
                    Err(error) => return Err(error),
                }
            }
            Ok(())
        })
    }

    /// Returns the largest number of walks. A further walk follows a walk that has written documents.
    fn walks(&self) -> usize {
        1
    }
}

/// A fault of a document.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fault {
    pub(crate) kind: MaintenanceKind,
    /// The `_id` of the document.
    pub(crate) id: Bson,
    /// The `_id` of the document that the fault is about.
    pub(crate) related: Option<Bson>,
}

impl Fault {
    pub(crate) fn new(kind: MaintenanceKind, id: Bson) -> Self {
        Fault { kind, id, related: None }
    }
}

/// The entries of one place.
pub(crate) struct Tally {
    model: &'static str,
    path: String,
    entries: Vec<MaintenanceEntry>,
}

impl Tally {
    pub(crate) fn new((model, path): (&'static str, String)) -> Self {
        Tally { model, path, entries: Vec::new() }
    }

    pub(crate) fn entry(&mut self, kind: MaintenanceKind) -> &mut MaintenanceEntry {
        let at = self.entries.iter().position(|entry| entry.kind == kind).unwrap_or_else(|| {
            self.entries.push(MaintenanceEntry::new(kind, self.model, &self.path));
            self.entries.len() - 1
        });
        &mut self.entries[at]
    }

    /// Adds a fault that stays.
    pub(crate) fn leave(&mut self, fault: Fault) {
        let entry = self.entry(fault.kind);
        entry.add(1, 0);
        entry.show(fault.id, fault.related);
    }

    /// Adds the faults of a chunk, all of which stay. A document may have several faults.
    pub(crate) fn leave_all(&mut self, faults: Vec<Fault>) {
        let mut counted = HashSet::new();
        for fault in faults {
            let is_new = counted.insert((fault.kind, Key::of(&fault.id)));
            let entry = self.entry(fault.kind);
            entry.add_several(1, u64::from(is_new), 0);
            entry.show(fault.id, fault.related);
        }
    }

    fn written(&self) -> u64 {
        self.entries.iter().map(|entry| entry.written).sum()
    }

    /// Forgets the faults that were not written, before a further walk finds the faults again.
    fn forget(&mut self) {
        for entry in &mut self.entries {
            (entry.found, entry.documents, entry.refused) = (entry.written, entry.written, 0);
            entry.examples.clear();
        }
    }

    /// Returns the entries with faults. `read` is the number of documents that were looked at.
    pub(crate) fn into_entries(mut self, read: u64) -> Vec<MaintenanceEntry> {
        self.entries.retain(MaintenanceEntry::is_something);
        for entry in &mut self.entries {
            entry.read = read.max(entry.documents);
        }
        self.entries
    }
}

/// Finds the faults of one place. Writes nothing.
pub(crate) async fn find(place: &mut dyn Place, context: &Context) -> Result<Vec<MaintenanceEntry>> {
    let (mut walk, mut tally, mut read) = (place.walk(context), Tally::new(place.name()), 0);
    while let Some(chunk) = walk.next().await? {
        read += chunk.len() as u64;
        tally.leave_all(place.faults(context, chunk).await?);
    }
    Ok(tally.into_entries(read))
}

/// Finds and rewrites the faults of one place. A stopped rewrite resumes when run again.
pub(crate) async fn rewrite(
    place: &mut dyn Place,
    context: &Context,
    throttler: &mut Throttler<'_>,
) -> Result<Vec<MaintenanceEntry>> {
    place.prepare(context).await?;
    let (throttle, mut tally, mut read) = (throttler.throttle, Tally::new(place.name()), 0);
    for number in 0..place.walks() {
        let written = tally.written();
        tally.forget();
        let mut walk = place.walk(context).at_most(throttle.chunk);
        while let Some(chunk) = walk.next().await? {
            let documents = chunk.len() as u64;
            let faults = place.faults(context, chunk).await?;
            let is_wrong = !faults.is_empty();
            place.rewrite_chunk(context, throttle, faults, &mut tally).await?;
            if number == 0 {
                read += documents;
                throttler.done(documents);
            }
            if is_wrong {
                throttler.pause().await;
            }
        }
        if tally.written() == written {
            break;
        }
    }
    Ok(tally.into_entries(read))
}
