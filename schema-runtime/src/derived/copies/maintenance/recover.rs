//! Recovers copies that a stopped client has left behind: propagates marked sources again, and re-checks marked holders. Recovery may run
//! at any time, beside all writers and beside a second recovery.

use std::fmt;

use mongodb::bson::{Bson, doc};

use crate::{
    definition::ModelDefinition,
    derived::{
        copies::{
            stored::{
                marker::{Marks, PendingMarker},
                path::CopyPath,
                paths::of_schema,
                source,
            },
            write::{intent, settle, writing::propagate_marked},
        },
        refused::{Refused, update_marked},
        throttle::{Throttle, Throttler},
    },
    error::Result,
    executor::Context,
    limits::{RECOVERED_SOURCES, SETTLED_HOLDERS},
    read::{self, Query},
    report::{but_for_refused, counted, named},
};

/// The recovered marks of one place that holds copies.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RecoveredPath {
    /// The collection that holds the copies.
    pub holder: &'static str,
    /// The stored path of the references to the source.
    pub reference: String,
    /// The number of sources that were propagated again.
    pub sources: u64,
    /// The number of holders that were re-checked.
    pub holders: u64,
    /// The number of documents that the server refused to write, as by a validator. Sources and holders that wait for a refused document
    /// stay marked.
    pub refused: u64,
    /// The `_id`s of some refused documents.
    pub examples: Vec<Bson>,
}

impl RecoveredPath {
    fn note(&mut self, refused: Refused) {
        self.refused += refused.documents;
        named(&mut self.examples, refused.examples);
    }
}

impl fmt::Display for RecoveredPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RecoveredPath { holder, reference, .. } = self;
        let sources = counted(self.sources, "source", "sources");
        let holders = counted(self.holders, "holder", "holders");
        let refused = but_for_refused(self.refused, &self.examples);
        write!(formatter, "{holder}.{reference}: {sources} propagated, {holders} re-checked{refused}")
    }
}

/// Recovers all marks.
pub(crate) async fn recover(
    models: &[&'static ModelDefinition],
    context: &Context,
    throttle: &Throttle,
) -> Result<Vec<RecoveredPath>> {
    recover_marks(models, context, throttle, Marks::All).await
}

/// Recovers the marks that `marks` selects.
pub(in crate::derived::copies) async fn recover_marks(
    models: &[&'static ModelDefinition],
    context: &Context,
    throttle: &Throttle,
    marks: Marks,
) -> Result<Vec<RecoveredPath>> {
    let context = context.majority();
    let paths: Vec<CopyPath> = of_schema(models).into_iter().filter(|path| path.synced).collect();
    let work = paths.iter().flat_map(|path| {
        let sources = (path.source.collection, marks.filter(path.source_mark()));
        [sources, (path.holder.collection, marks.filter(path.holder_mark()))]
    });
    let mut throttler = Throttler::new(&context, work.collect(), throttle).await?;
    let mut recovered = Vec::new();
    for path in &paths {
        let (holder, reference) = (path.holder.collection, path.reference_path());
        let mut found = RecoveredPath { holder, reference, sources: 0, holders: 0, refused: 0, examples: Vec::new() };
        for side in [Side::Sources, Side::Holders] {
            recover_marked(&context, path, side, &mut throttler, marks, &mut found).await?;
        }
        recovered.push(found);
    }
    for holder in holders_of(&paths) {
        let of_holder = |at: &usize| paths[*at].holder.name == holder.name;
        let at: Vec<usize> = (0..paths.len()).filter(of_holder).collect();
        let of_holder: Vec<&CopyPath> = at.iter().map(|at| &paths[*at]).collect();
        let intents = intent::recover(&context, &of_holder, marks, &mut throttler).await?;
        for ((at, holders), refused) in at.into_iter().zip(intents.holders).zip(intents.refused) {
            recovered[at].holders += holders;
            recovered[at].note(refused);
        }
    }
    recovered.retain(|found| found.sources + found.holders + found.refused > 0);
    Ok(recovered)
}

/// Returns the models that hold the given paths, each once.
fn holders_of(paths: &[CopyPath]) -> Vec<&'static ModelDefinition> {
    let mut holders: Vec<&'static ModelDefinition> = Vec::new();
    for path in paths {
        if !holders.iter().any(|holder| holder.name == path.holder.name) {
            holders.push(path.holder);
        }
    }
    holders
}

/// The number of searches for marked documents. A search is repeated when a mark was replaced before the recovery, perhaps by a late
/// command of a stopped client.
const PASSES: u32 = 3;

/// The side of a path whose documents are recovered.
#[derive(Clone, Copy)]
enum Side {
    /// Each source gets a new version for the present values, and is propagated.
    Sources,
    /// Each holder is read and re-checked.
    Holders,
}

/// Replaces the found mark of each document with a mark of this run, and handles the documents with the new mark. No different mark is
/// replaced: a bulk may write a holder again with the same mark.
async fn recover_marked(
    context: &Context,
    path: &CopyPath,
    side: Side,
    throttler: &mut Throttler<'_>,
    marks: Marks,
    found: &mut RecoveredPath,
) -> Result<()> {
    let (mark, quiet) = (PendingMarker::new(), throttler.throttle.clone().quiet());
    let (model, field, batch_size) = match side {
        Side::Sources => (path.source, path.source_mark(), RECOVERED_SOURCES),
        Side::Holders => (path.holder, path.holder_mark(), SETTLED_HOLDERS),
    };
    let others = doc! { "$and": [marks.filter(field.clone()), { &field: { "$ne": mark } }] };
    let query = Query { batch_size, projection: doc! { &field: 1 }, ..Query::new(model.collection, others) };
    for _ in 0..PASSES {
        let mut is_all = true;
        // A write of a client that was killed a moment ago may not have a majority yet. The new mark has a majority.
        let mut batches = query.clone().batches(&context.newest()).await?;
        while let Some(batch) = batches.next().await {
            let documents = read::parsed_in(&batch?)?;
            if documents.is_empty() {
                continue;
            }
            let ids: Vec<Bson> = documents.iter().filter_map(|document| document.get("_id").cloned()).collect();
            let of_these = doc! { "_id": { "$in": ids }, &field: mark };
            let (not_marked, done) = match side {
                Side::Sources => {
                    let not_marked = source::touch_marked(context, path, &documents, mark).await?;
                    let propagated = propagate_marked(context, path, of_these, &quiet).await?;
                    found.sources += propagated.sources;
                    found.note(propagated.refused);
                    (not_marked, propagated.sources)
                }
                Side::Holders => {
                    let update = doc! { "$set": { &field: mark } };
                    let not_marked = update_marked(context, path.holder, &field, &documents, &update).await?;
                    let looked = settle::look_at_marked(context, path, of_these).await?;
                    found.holders += looked.holders;
                    found.note(looked.refused);
                    (not_marked, looked.holders)
                }
            };
            let handled = done + not_marked.documents;
            is_all &= handled == documents.len() as u64;
            found.note(not_marked);
            throttler.done(handled);
            throttler.pause().await;
        }
        if is_all {
            break;
        }
    }
    Ok(())
}
