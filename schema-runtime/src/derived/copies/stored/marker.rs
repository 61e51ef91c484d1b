//! The pending marker: the id of the write that left the copies of a document to be propagated or re-checked.

use mongodb::bson::{Bson, oid::ObjectId};

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
