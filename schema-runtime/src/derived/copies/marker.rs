//! The pending marker: the id of the write that left a document's copies to be propagated or checked again.

use std::time::{Duration, SystemTime};

use mongodb::bson::{Bson, Document, doc, oid::ObjectId};

/// The pending marker of one write: all documents that it marks are found by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PendingMarker(ObjectId);

impl PendingMarker {
    /// That of a write that begins now.
    pub(crate) fn new() -> Self {
        PendingMarker(ObjectId::new())
    }

    /// That of a write which leaves its copies to a worker: older than any other.
    pub(crate) fn deferred() -> Self {
        let mut bytes = ObjectId::new().bytes();
        bytes[..4].fill(0);
        PendingMarker(ObjectId::from_bytes(bytes))
    }

    /// Whether what is stored is the marker of a write which left its copies to a worker.
    pub(crate) fn is_deferred(stored: &Bson) -> bool {
        stored.as_object_id().is_some_and(|id| id.bytes()[..4] == [0; 4])
    }
}

impl From<PendingMarker> for Bson {
    fn from(marker: PendingMarker) -> Self {
        Bson::ObjectId(marker.0)
    }
}

/// Which marks are recovered.
#[derive(Clone, Copy, Debug)]
pub(super) enum Marks {
    All,
    /// Those that a healthy client would have cleared by now.
    OlderThan(ObjectId),
}

impl Marks {
    /// The first mark that is not so old.
    pub(super) fn before(age: Duration) -> ObjectId {
        let time = SystemTime::now().checked_sub(age).unwrap_or(SystemTime::UNIX_EPOCH);
        let seconds = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs();
        ObjectId::from_parts(u32::try_from(seconds).unwrap_or(u32::MAX), [0; 5], [0; 3])
    }

    pub(super) fn filter(self, field: String) -> Document {
        match self {
            Marks::All => doc! { field: { "$exists": true } },
            Marks::OlderThan(mark) => doc! { field: { "$exists": true, "$lt": mark } },
        }
    }
}
