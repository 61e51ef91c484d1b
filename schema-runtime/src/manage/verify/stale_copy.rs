//! Rule: `stale_copy`
//!
//! A copy has the values of its source, and where the writes of the source propagate it a version beside it. Writes that go round
//! the crate (the shell, another language) leave it stale: `repair` writes those again. A copy whose source or holder is marked
//! is on its way and is no finding; `pending` says how many marks there are, and `recover` propagates what nobody does. A copy
//! whose source was deleted is counted apart.
//!
//! Source: MongoDB manual, "data modeling: duplicate data": the application keeps duplicates consistent.

use std::fmt;

use mongodb::bson::{Bson, doc};

use super::EXAMPLES;
use crate::{
    definition::ModelDefinition,
    derived::copies::{CopyPath, Survey, count_intended, paths_into},
    error::Result,
    executor::Context,
    report::counted,
};

/// Copies of one place that are not what their sources have.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct StaleCopy {
    /// The model that holds the copies.
    pub model: &'static str,
    /// Its collection.
    pub collection: &'static str,
    /// The stored path of the references beside the copies.
    pub reference: String,
    /// The collection of the sources.
    pub source: &'static str,
    /// How many copies are stale; those beside one reference are one.
    pub copies: u64,
    /// How many documents hold them.
    pub holders: u64,
    /// How many copies have a source that is not there.
    pub gone: u64,
    /// Some of the stale ones: at most 5.
    pub examples: Vec<StaleExample>,
}

/// A copy that is not what its source has.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct StaleExample {
    /// The `_id` of the document that holds it.
    pub id: Bson,
    /// The `_id` of its source; null where the document refers to nothing.
    pub source: Bson,
}

/// Marks of one place that holds copies: writes that are on their way, or that a stopped client has left behind.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PendingCopies {
    /// The collection that holds the copies.
    pub collection: &'static str,
    /// The stored path of the references beside the copies.
    pub reference: String,
    /// How many sources are marked.
    pub sources: u64,
    /// How many holders are marked.
    pub holders: u64,
}

impl fmt::Display for StaleCopy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let StaleCopy { model, collection, reference, source, .. } = self;
        let copies = counted(self.copies, "stale copy", "stale copies");
        let holders = counted(self.holders, "document", "documents");
        write!(formatter, "{model}.{reference}: {copies} in {holders} of `{collection}`")?;
        if self.gone > 0 {
            write!(formatter, ", {} of documents that `{source}` does not have", counted(self.gone, "copy", "copies"))?;
        }
        for example in &self.examples {
            match &example.source {
                Bson::Null => write!(formatter, "\n  {} has a copy, and refers to nothing", example.id)?,
                source => write!(formatter, "\n  {} has an older copy of {source}", example.id)?,
            }
        }
        Ok(())
    }
}

impl fmt::Display for PendingCopies {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PendingCopies { collection, reference, .. } = self;
        let sources = counted(self.sources, "source", "sources");
        let holders = counted(self.holders, "holder", "holders");
        write!(formatter, "{collection}.{reference}: {sources} and {holders} are marked: `recover` propagates them")
    }
}

/// How many holders are asked for at a time.
const BATCH: u32 = 1_000;

/// One survey for each path that the model holds.
pub(super) async fn find(model: &'static ModelDefinition, context: &Context) -> Result<Vec<StaleCopy>> {
    let mut found = Vec::new();
    for path in paths_into(model) {
        let stale = of_path(&path, context).await?;
        found.extend((stale.copies + stale.gone > 0).then_some(stale));
    }
    Ok(found)
}

async fn of_path(path: &CopyPath, context: &Context) -> Result<StaleCopy> {
    let mut found = StaleCopy {
        model: path.holder.model,
        collection: path.holder.collection,
        reference: path.reference_path(),
        source: path.source.collection,
        copies: 0,
        holders: 0,
        gone: 0,
        examples: Vec::new(),
    };
    let mut survey = Survey::new(context, path, doc! {}, BATCH).await?;
    while let Some(surveyed) = survey.next().await? {
        found.copies += surveyed.stale.len() as u64;
        found.holders += surveyed.stale_holders();
        found.gone += surveyed.gone.len() as u64;
        let more = EXAMPLES.saturating_sub(found.examples.len());
        let stale = surveyed.stale.into_iter().take(more);
        found.examples.extend(stale.map(|held| StaleExample { id: held.holder, source: held.source }));
    }
    Ok(found)
}

/// The marks of the paths that the model holds, counted by their indexes.
pub(super) async fn pending(model: &'static ModelDefinition, context: &Context) -> Result<Vec<PendingCopies>> {
    let mut found = Vec::new();
    for path in paths_into(model).iter().filter(|path| path.synced) {
        let marked =
            async |collection, mark: String| context.count(collection, doc! { mark: { "$exists": true } }, 0, 0).await;
        let sources = marked(path.source.collection, path.source_mark()).await?;
        let holders = marked(path.holder.collection, path.holder_mark()).await? + count_intended(context, path).await?;
        if sources + holders > 0 {
            let (collection, reference) = (path.holder.collection, path.reference_path());
            found.push(PendingCopies { collection, reference, sources, holders });
        }
    }
    Ok(found)
}
