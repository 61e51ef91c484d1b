//! Backfill of copies that were declared after the data, or written by clients with a different version of the model. A holder gets the
//! values and the version of its source only when its copies have no version, or are of different fields. A filled holder is not found
//! again, so a stopped backfill resumes when run again.

use std::fmt;

use mongodb::bson::Bson;

use super::{
    held::{Chunk, Holders},
    rewrite::rewrite,
};
use crate::{
    definition::ModelDefinition,
    derived::{
        copies::stored::{path::CopyPath, paths::of_schema},
        throttle::{Throttle, Throttler},
    },
    error::Result,
    executor::Context,
    report::{but_for_refused, counted, lines, named},
};

/// The result of [`Schema::backfill`](crate::schema::Schema::backfill).
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Backfilled {
    /// The places that had copies without a version or of different fields, in the order of the schema.
    pub paths: Vec<BackfilledPath>,
}

/// The result of the backfill of one place that holds copies.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct BackfilledPath {
    /// The collection that holds the copies.
    pub holder: &'static str,
    /// The stored path of the references to the source.
    pub reference: String,
    /// The number of filled holders.
    pub holders: u64,
    /// The number of copies with a missing source. A copy without a source stays unchanged.
    pub gone: u64,
    /// The number of holders that the server refused to write, as by a validator. A refused holder stays unchanged.
    pub refused: u64,
    /// The `_id`s of some refused holders.
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
