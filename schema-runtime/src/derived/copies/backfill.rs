//! Backfill: copies that were declared after the data, and those that clients with another version of the model have written. Holders
//! whose copies have no version, or are of other fields, get the values and the version of their source, and no others. What is done is
//! not found again: stopped, it resumes where it is run again.

use std::fmt;

use mongodb::bson::Bson;

use super::{
    held::{Chunk, Holders},
    path::CopyPath,
    paths::of_schema,
    rewrite::rewrite,
};
use crate::{
    definition::ModelDefinition,
    derived::throttle::{Throttle, Throttler},
    error::Result,
    executor::Context,
    report::{but_for_refused, counted, lines, named},
};

/// What [`Schema::backfill`](crate::schema::Schema::backfill) has done.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Backfilled {
    /// One for each place that had copies without a version or of other fields, in the order of the schema.
    pub paths: Vec<BackfilledPath>,
}

/// What was filled in one place that holds copies.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct BackfilledPath {
    /// The collection that holds the copies.
    pub holder: &'static str,
    /// The stored path of the references to the source.
    pub reference: String,
    /// How many holders were filled.
    pub holders: u64,
    /// How many copies have a source that is not there; they stay as they are.
    pub gone: u64,
    /// How many holders the server refused to write, as one that its validator does not take; they stay as they are.
    pub refused: u64,
    /// The `_id`s of some of those.
    pub examples: Vec<Bson>,
}

impl fmt::Display for Backfilled {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.paths.is_empty() {
            return formatter.write_str("nothing to fill");
        }
        lines(formatter, &self.paths)
    }
}

impl fmt::Display for BackfilledPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BackfilledPath { holder, reference, .. } = self;
        let holders = counted(self.holders, "document", "documents");
        write!(formatter, "{holder}.{reference}: {holders} filled{}", but_for_refused(self.refused, &self.examples))?;
        if self.gone > 0 {
            write!(formatter, ", {} without a source", counted(self.gone, "copy", "copies"))?;
        }
        Ok(())
    }
}

pub(crate) async fn backfill(
    models: &[&'static ModelDefinition],
    context: &Context,
    throttle: &Throttle,
) -> Result<Backfilled> {
    let context = context.majority();
    let mut backfilled = Backfilled::default();
    let paths = of_schema(models);
    let work = paths.iter().map(|path| (path.holder.collection, path.incomplete()));
    let mut throttler = Throttler::new(&context, work.collect(), throttle).await?;
    for path in &paths {
        let filled = backfill_path(&context, path, &mut throttler).await?;
        backfilled.paths.extend((filled.holders + filled.gone + filled.refused > 0).then_some(filled));
    }
    Ok(backfilled)
}

async fn backfill_path(context: &Context, path: &CopyPath, throttler: &mut Throttler<'_>) -> Result<BackfilledPath> {
    let (holder, reference) = (path.holder.collection, path.reference_path());
    let mut filled = BackfilledPath { holder, reference, holders: 0, gone: 0, refused: 0, examples: Vec::new() };
    let mut holders = Holders::new(context, path, path.incomplete(), throttler.throttle.chunk).await?;
    while let Some(Chunk { holders, held }) = holders.next().await? {
        let incomplete =
            held.into_iter().filter(|held| held.is_of_nothing() || held.version.is_none() || !held.is_whole).collect();
        let rewritten = rewrite(context, path, incomplete, throttler.throttle).await?;
        filled.holders += rewritten.holders;
        filled.gone += rewritten.gone;
        filled.refused += rewritten.refused.documents;
        named(&mut filled.examples, rewritten.refused.examples);
        throttler.done(holders);
        throttler.pause().await;
    }
    Ok(filled)
}
