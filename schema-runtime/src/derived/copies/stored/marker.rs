//! The pending marker: the id of the write that left the copies of a document to be propagated or re-checked.

use std::time::{Duration, SystemTime};

use mongodb::bson::{Bson, Document, doc, oid::ObjectId};

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
}

impl From<PendingMarker> for Bson {
    fn from(marker: PendingMarker) -> Self {
        Bson::ObjectId(marker.0)
    }
}

/// A selection of marks to recover.
#[derive(Clone, Copy, Debug)]
pub(in crate::derived::copies) enum Marks {
    All,
    /// Marks that a healthy client would have cleared by now.
    OlderThan(ObjectId),
}

impl Marks {
    /// Selects the marks that are older than the grace, and deferred marks; all marks for a grace of zero.
    pub(in crate::derived::copies) fn left_for(grace: Duration) -> Self {
        if grace.is_zero() { Marks::All } else { Marks::OlderThan(Marks::before(grace)) }
    }

    /// Returns the first mark that is younger than the age.
    pub(in crate::derived::copies) fn before(age: Duration) -> ObjectId {
        let time = SystemTime::now().checked_sub(age).unwrap_or(SystemTime::UNIX_EPOCH);
        let seconds = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs();
        ObjectId::from_parts(u32::try_from(seconds).unwrap_or(u32::MAX), [0; 5], [0; 3])
    }

    pub(in crate::derived::copies) fn filter(self, field: String) -> Document {
        match self {
            Marks::All => doc! { field: { "$exists": true } },
            Marks::OlderThan(mark) => doc! { field: { "$exists": true, "$lt": mark } },
        }
    }
}
