//! Marks: a marked document has a field as long as work for the document is pending. A partial index on the field finds
//! the marked documents.

use std::time::{Duration, SystemTime};

use mongodb::bson::{Document, doc, oid::ObjectId};

use super::effect::NeededIndex;
use crate::{error::Result, executor::Context};

/// A selection of marks.
#[derive(Clone, Copy, Debug)]
pub(super) enum Marks {
    All,
    /// Marks that a healthy client would have cleared by now.
    OlderThan(ObjectId),
}

impl Marks {
    /// Selects the marks that are older than the grace, and deferred marks; all marks for a grace of zero.
    pub(super) fn left_for(grace: Duration) -> Self {
        if grace.is_zero() { Marks::All } else { Marks::OlderThan(Marks::before(grace)) }
    }

    /// Returns the first mark that is younger than the age.
    pub(super) fn before(age: Duration) -> ObjectId {
        let time = SystemTime::now().checked_sub(age).unwrap_or(SystemTime::UNIX_EPOCH);
        let seconds = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs();
        ObjectId::from_parts(u32::try_from(seconds).unwrap_or(u32::MAX), [0; 5], [0; 3])
    }

    /// Returns the filter of the documents with a selected mark in the field.
    pub(super) fn filter(self, field: impl Into<String>) -> Document {
        let field: String = field.into();
        match self {
            Marks::All => doc! { field: { "$exists": true } },
            Marks::OlderThan(mark) => doc! { field: { "$exists": true, "$lt": mark } },
        }
    }
}

/// Counts the marked documents of a collection.
pub(super) async fn count_marked(context: &Context, collection: &'static str, field: impl Into<String>) -> Result<u64> {
    context.count(collection, Marks::All.filter(field), 0, 0).await
}

/// Returns the index that finds the marked documents.
pub(super) fn index_of_marks(field: impl Into<String>) -> NeededIndex {
    let field: String = field.into();
    (doc! { &field: 1 }, Some(Marks::All.filter(field))).into()
}
