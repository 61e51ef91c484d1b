//! Recovers copies that a stopped client has left behind: propagates marked sources again, and re-checks marked
//! holders. Recovery may run at any time, beside all writers and beside a second recovery.

use mongodb::bson::{Bson, doc};

use crate::{
    definition::ModelDefinition,
    derived::{
        copies::{
            stored::{model_paths::of_schema, path::CopyPath, source},
            write::{intent, settle, writing::propagate_marked},
        },
        maintenance::{MaintenanceEntry, MaintenanceKind, Tally},
        marks::{Marks, PendingMarker},
        refused::update_marked,
        throttle::{Throttle, Throttler},
    },
    error::Result,
    executor::Context,
    limits::{RECOVERED_SOURCES, SETTLED_HOLDERS},
    read::{Query, Walk},
};

/// Recovers the marks that `marks` selects.
pub(in crate::derived::copies) async fn recover_marks(
    models: &[&'static ModelDefinition],
    context: &Context,
    throttle: &Throttle,
    marks: Marks,
) -> Result<Vec<MaintenanceEntry>> {
    let context = context.majority();
    let paths: Vec<CopyPath> = of_schema(models).into_iter().filter(|path| path.synced).collect();
    let work = paths.iter().flat_map(|path| {
        let sources = (path.source.collection, marks.filter(path.source_mark()));
        [sources, (path.holder.collection, marks.filter(path.holder_mark()))]
    });
    let mut throttler = Throttler::new(&context, work.collect(), throttle).await?;
    let mut tallies = Vec::new();
    for path in &paths {
        let mut tally = Tally::new((path.holder.model, path.reference_path()));
        for side in [Side::Sources, Side::Holders] {
            recover_marked(&context, path, side, &mut throttler, marks, tally.entry(side.kind())).await?;
        }
        tallies.push(tally);
    }
    for holder in holders_of(&paths) {
        let of_holder = |at: &usize| paths[*at].holder.name == holder.name;
        let at: Vec<usize> = (0..paths.len()).filter(of_holder).collect();
        let of_holder: Vec<&CopyPath> = at.iter().map(|at| &paths[*at]).collect();
        let intents = intent::recover(&context, &of_holder, marks, &mut throttler).await?;
        for ((at, holders), refused) in at.into_iter().zip(intents.holders).zip(intents.refused) {
            let entry = tallies[at].entry(MaintenanceKind::PendingHolder);
            entry.add(holders, holders.saturating_sub(refused.documents));
            entry.add_refused(refused);
        }
    }
    Ok(tallies.into_iter().flat_map(|tally| tally.into_entries(0)).collect())
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

/// The number of searches for marked documents. A search is repeated when a mark was replaced before the recovery,
/// perhaps by a late command of a stopped client.
const PASSES: u32 = 3;

/// The side of a path whose documents are recovered.
#[derive(Clone, Copy)]
enum Side {
    /// Each source gets a new version for the present values, and is propagated.
    Sources,
    /// Each holder is read and re-checked.
    Holders,
}

impl Side {
    fn kind(self) -> MaintenanceKind {
        match self {
            Side::Sources => MaintenanceKind::PendingSource,
            Side::Holders => MaintenanceKind::PendingHolder,
        }
    }
}

/// Replaces the found mark of each document with a mark of this run, and handles the documents with the new mark. No
/// different mark is replaced: a bulk may write a holder again with the same mark.
async fn recover_marked(
    context: &Context,
    path: &CopyPath,
    side: Side,
    throttler: &mut Throttler<'_>,
    marks: Marks,
    entry: &mut MaintenanceEntry,
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
        let mut walk = Walk::by_cursor(&context.newest(), query.clone());
        while let Some(documents) = walk.next().await? {
            let ids: Vec<Bson> = documents.iter().filter_map(|document| document.get("_id").cloned()).collect();
            let of_these = doc! { "_id": { "$in": ids }, &field: mark };
            let (not_marked, done, refused) = match side {
                Side::Sources => {
                    let not_marked = source::touch_marked(context, path, &documents, mark).await?;
                    let propagated = propagate_marked(context, path, of_these, &quiet).await?;
                    (not_marked, propagated.sources, propagated.refused)
                }
                Side::Holders => {
                    let update = doc! { "$set": { &field: mark } };
                    let not_marked = update_marked(context, path.holder, &field, &documents, &update).await?;
                    let looked = settle::look_at_marked(context, path, of_these).await?;
                    (not_marked, looked.holders, looked.refused)
                }
            };
            let handled = done + not_marked.documents;
            is_all &= handled == documents.len() as u64;
            entry.add(done, done.saturating_sub(refused.documents));
            entry.add_refused(refused);
            entry.add_refused(not_marked);
            throttler.done(handled);
            throttler.pause().await;
        }
        if is_all {
            break;
        }
    }
    Ok(())
}
