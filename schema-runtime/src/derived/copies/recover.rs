//! What a stopped client has left behind: marked sources are propagated again, marked holders are re-checked. It may run at any
//! time, beside all writers and beside itself.

use std::fmt;

use mongodb::bson::doc;

use super::{
    intent,
    marker::{Marks, PendingMarker},
    path::{CopyPath, of_schema},
    settle, source,
    writing::propagate_marked,
};
use crate::{
    definition::ModelDefinition,
    derived::throttle::{Throttle, Throttler},
    error::Result,
    executor::Context,
    read::Query,
    report::{but_for_refused, counted},
};

/// The marks of one place that holds copies.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RecoveredPath {
    /// The collection that holds the copies.
    pub holder: &'static str,
    /// The stored path of the references to the source.
    pub reference: String,
    /// How many sources were propagated again.
    pub sources: u64,
    /// How many holders were re-checked.
    pub holders: u64,
    /// How many documents the server refused to write, as one that its validator does not take. What waits for them stays
    /// marked.
    pub refused: u64,
}

impl fmt::Display for RecoveredPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RecoveredPath { holder, reference, .. } = self;
        let sources = counted(self.sources, "source", "sources");
        let holders = counted(self.holders, "holder", "holders");
        let refused = but_for_refused(self.refused);
        write!(formatter, "{holder}.{reference}: {sources} propagated, {holders} re-checked{refused}")
    }
}

/// How many marked sources are touched at a time.
const CHUNK: u32 = 200;

/// Recovers all of them.
pub(crate) async fn recover(
    models: &[&'static ModelDefinition],
    context: &Context,
    throttle: &Throttle,
) -> Result<Vec<RecoveredPath>> {
    recover_marks(models, context, throttle, Marks::All).await
}

/// Recovers those that `marks` says.
pub(super) async fn recover_marks(
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
        let mut found = RecoveredPath { holder, reference, sources: 0, holders: 0, refused: 0 };
        recover_sources(&context, path, &mut throttler, marks, &mut found).await?;
        recover_holders(&context, path, &mut throttler, marks, &mut found).await?;
        recovered.push(found);
    }
    for holder in holders_of(&paths) {
        let of_holder = |at: &usize| paths[*at].holder.name == holder.name;
        let at: Vec<usize> = (0..paths.len()).filter(of_holder).collect();
        let of_holder: Vec<&CopyPath> = at.iter().map(|at| &paths[*at]).collect();
        let intents = intent::recover(&context, &of_holder, marks, &mut throttler).await?;
        for (position, at) in at.into_iter().enumerate() {
            recovered[at].holders += intents.holders[position];
            recovered[at].refused += intents.refused[position];
        }
    }
    recovered.retain(|found| found.sources + found.holders + found.refused > 0);
    Ok(recovered)
}

/// The models that hold these paths, each once.
fn holders_of(paths: &[CopyPath]) -> Vec<&'static ModelDefinition> {
    let mut holders: Vec<&'static ModelDefinition> = Vec::new();
    for path in paths {
        if !holders.iter().any(|holder| holder.name == path.holder.name) {
            holders.push(path.holder);
        }
    }
    holders
}

/// Each marked holder gets a mark of this run before it is read, and loses no other: a bulk may write it again with the mark that it had.
async fn recover_holders(
    context: &Context,
    path: &CopyPath,
    throttler: &mut Throttler<'_>,
    marks: Marks,
    found: &mut RecoveredPath,
) -> Result<()> {
    let mark = PendingMarker::new();
    let batch_size = settle::CHUNK;
    let query = Query { batch_size, ..Query::new(path.holder.collection, marks.filter(path.holder_mark())) };
    let mut batches = query.ids(&context.newest()).await?;
    while let Some(ids) = batches.next().await? {
        if ids.is_empty() {
            continue;
        }
        let count = ids.len() as u64;
        let marked = doc! { "_id": { "$in": &ids }, path.holder_mark(): mark };
        found.refused += settle::mark_again(context, path, ids, mark).await?;
        let looked = settle::look_at_marked(context, path, marked).await?;
        throttler.done(count);
        found.holders += looked.holders;
        found.refused += looked.refused.documents;
        throttler.pause().await;
    }
    Ok(())
}

/// Each marked source gets a new version for its values as they are, and a mark of this run; then all of those are propagated.
async fn recover_sources(
    context: &Context,
    path: &CopyPath,
    throttler: &mut Throttler<'_>,
    marks: Marks,
    found: &mut RecoveredPath,
) -> Result<()> {
    let mark = PendingMarker::new();
    let marked = marks.filter(path.source_mark());
    let others = doc! { path.source_mark(): { "$ne": mark } };
    let mut query = Query::new(path.source.collection, doc! { "$and": [marked, others] });
    query.batch_size = CHUNK;
    // A write of a client that was killed a moment ago may not be on a majority yet. The touch is.
    let mut batches = query.ids(&context.newest()).await?;
    let quiet = throttler.throttle.clone().quiet();
    while let Some(ids) = batches.next().await? {
        if ids.is_empty() {
            continue;
        }
        let count = ids.len() as u64;
        let touched = doc! { "_id": { "$in": &ids }, path.source_mark(): mark };
        let refused = source::touch_marked(context, path, ids, mark).await?;
        let propagated = propagate_marked(context, path, touched, &quiet).await?;
        found.sources += propagated.sources;
        found.refused += refused + propagated.refused.documents;
        throttler.done(count);
        throttler.pause().await;
    }
    Ok(())
}
