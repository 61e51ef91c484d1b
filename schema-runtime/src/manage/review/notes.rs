//! Picks the facts of a review that a person should look at. Pure.

use std::fmt;

use super::{IndexAsker, IndexReview, ModelReview, Review, ReviewNote};
use crate::report::{bytes, counted};

/// The most undeclared collections that the notes name.
const MOST_NAMED: usize = 10;

impl Review {
    /// Returns the facts that a person should look at, the most expensive first.
    pub fn notes(&self) -> Vec<ReviewNote> {
        let mut notes = Vec::new();
        for model in &self.models {
            let name = model.model;
            let scans = model.reads.iter().filter(|read| {
                let is_of_all = read.groups.is_some();
                read.index.is_none() && read.documents.is_none() && !is_of_all
            });
            notes.extend(scans.map(|read| ReviewNote::NoIndex { model: name, read: read.name }));
            let has_queries = model.reads.iter().any(|read| !read.is_lookup);
            for index in &model.indexes {
                notes.extend(of_index(model, index, has_queries));
            }
            let more = model.copies.iter().filter(|copy| copy.ratio().is_some_and(|ratio| ratio < 1.0));
            notes.extend(more.map(|copy| ReviewNote::CopyWrittenMoreThanRead { model: name, path: copy.path.clone() }));
            let undeclared = model.stored.iter().flat_map(|stored| &stored.undeclared);
            notes.extend(undeclared.map(|index| ReviewNote::UndeclaredIndex { model: name, index: index.clone() }));
        }
        let named = self.undeclared.iter().take(MOST_NAMED).cloned();
        notes.extend(named.map(ReviewNote::UndeclaredCollection));
        if let Some(further @ 1..) = self.undeclared.len().checked_sub(MOST_NAMED) {
            notes.push(ReviewNote::FurtherUndeclaredCollections(further));
        }
        if let (Some(bytes), Some(memory)) = (self.working_set(), self.memory)
            && bytes > memory
        {
            notes.push(ReviewNote::WorkingSetOverMemory { bytes, memory });
        }
        notes
    }
}

fn of_index(model: &ModelReview, index: &IndexReview, has_queries: bool) -> Option<ReviewNote> {
    let (model_name, name) = (model.model, index.name.clone());
    let is_for_more_than_reads = |asker: &IndexAsker| {
        matches!(asker, IndexAsker::Unique | IndexAsker::Expiry | IndexAsker::ShardKey | IndexAsker::DerivedData)
    };
    let must_be = index.asked_by.iter().any(is_for_more_than_reads);
    match (&model.stored, &index.stored) {
        (Some(_), None) => Some(ReviewNote::Missing { model: model_name, index: name }),
        _ if has_queries && index.asked_by == [IndexAsker::Declared] => {
            Some(ReviewNote::NobodyAsks { model: model_name, index: name })
        }
        (_, Some(stored)) if stored.used == 0 && !must_be => {
            Some(ReviewNote::NeverUsed { model: model_name, index: name, since: stored.since })
        }
        _ => None,
    }
}

impl fmt::Display for ReviewNote {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReviewNote::NoIndex { model, read } => {
                write!(
                    formatter,
                    "{model}::{read} reads every document: ask for a field, or say an order or a page of `_id`"
                )
            }
            ReviewNote::NobodyAsks { model, index } => {
                write!(
                    formatter,
                    "{index} of {model} serves no declared read: remove the index, or declare the query of the index"
                )
            }
            ReviewNote::NeverUsed { model, index, since } => {
                write!(formatter, "{index} of {model} was used by no operation since {since}")
            }
            ReviewNote::Missing { model, index } => {
                write!(formatter, "{index} of {model} is missing: `schema.plan(&db)` creates it")
            }
            ReviewNote::UndeclaredIndex { model, index } => {
                write!(formatter, "{index} is in the collection of {model}, and the model does not declare the index")
            }
            ReviewNote::UndeclaredCollection(collection) => {
                write!(formatter, "the collection {collection} is declared by no model")
            }
            ReviewNote::FurtherUndeclaredCollections(further) => {
                write!(
                    formatter,
                    "{} declared by no model",
                    counted(*further as u64, "further collection is", "further collections are")
                )
            }
            ReviewNote::CopyWrittenMoreThanRead { model, path } => {
                write!(formatter, "{path} of {model} is written more often than read: read the value from the source")
            }
            ReviewNote::WorkingSetOverMemory { bytes: set, memory } => write!(
                formatter,
                "the working set of {} does not fit into {}: bound the reads, or drop indexes",
                bytes(*set),
                bytes(*memory)
            ),
        }
    }
}
