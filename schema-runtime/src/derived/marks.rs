//! Marks: a marked document has a field as long as work for the document is pending. A partial index on the field finds
//! the marked documents. Copies and delete rules store a pending marker; a tree stores the earlier ancestors.

use std::time::{Duration, SystemTime};

use mongodb::bson::{Bson, Document, doc, oid::ObjectId};

use super::effect::NeededIndex;
use crate::{error::Result, executor::Context};

/// The pending marker of one write. The marker finds all documents that the write has marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PendingMarker(ObjectId);

impl PendingMarker {
    /// Creates the marker of a write that begins now.
    pub(crate) fn new() -> Self {
        PendingMarker(ObjectId::new())
    }

    /// Creates the marker of a write that leaves the copies to a worker: older than any normal marker.
    pub(crate) fn deferred() -> Self {
        let mut bytes = ObjectId::new().bytes();
        bytes[..4].fill(0);
        PendingMarker(ObjectId::from_bytes(bytes))
    }

    /// Returns whether a stored value is the marker of a write that left the copies to a worker.
    pub(crate) fn is_deferred(stored: &Bson) -> bool {
        stored.as_object_id().is_some_and(|id| id.bytes()[..4] == [0; 4])
    }

    /// Returns the marker in a field of a document.
    pub(super) fn in_document(document: &Document, field: &str) -> Option<Self> {
        document.get_object_id(field).ok().map(PendingMarker)
    }
}

impl From<PendingMarker> for Bson {
    fn from(marker: PendingMarker) -> Self {
        Bson::ObjectId(marker.0)
    }
}

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
