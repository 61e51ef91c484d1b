//! Rule: `stale_copy`
//!
//! A copy has the values of the source, and a version beside the values when writes of the source propagate the copy. A write that bypasses
//! the crate (the shell, another language) leaves a stale copy, and `repair` writes the stale copy again. A copy with a marked source or a
//! marked holder is on the way and is no finding. `pending` gives the number of marks, and `recover` propagates the copies that no client
//! propagates. A copy of a deleted source is counted separately.
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

/// Copies of a place that differ from the source.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct StaleCopy {
    /// The model that holds the copies.
    pub model: &'static str,
    /// The collection of the model.
    pub collection: &'static str,
    /// The stored path of the references beside the copies.
    pub reference: String,
    /// The collection of the sources.
    pub source: &'static str,
    /// The number of stale copies; the copies beside the same reference count as one.
    pub copies: u64,
    /// The number of documents that hold the stale copies.
    pub holders: u64,
    /// The number of copies without an existing source.
    pub gone: u64,
    /// Some of the stale copies: at most 5.
    pub examples: Vec<StaleExample>,
}

/// A copy that differs from the source.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct StaleExample {
    /// The `_id` of the document that holds the copy.
    pub id: Bson,
    /// The `_id` of the source; null when the document refers to nothing.
    pub source: Bson,
}

/// Marks of a place that holds copies: writes that are on the way, or that a stopped client has left behind.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PendingCopies {
    /// The collection that holds the copies.
    pub collection: &'static str,
    /// The stored path of the references beside the copies.
    pub reference: String,
    /// The number of marked sources.
    pub sources: u64,
    /// The number of marked holders.
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

/// The number of holders in a single read.
const BATCH: u32 = 1_000;

/// Surveys each path that the model holds.
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

/// Counts the marks of the paths that the model holds, by the indexes of the marks.
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
