//! The mark of one write: all that it leaves is found by it.

use std::time::Duration;

use mongodb::bson::{Bson, DateTime, oid::ObjectId};
use tokio::time::Instant;

/// For so long the owner of a mark applies it; an older one it takes over. Source: `docs/rollups-protocol.md`, "Take over".
const APPLIED_FOR: Duration = Duration::from_secs(10 * 60);

/// A revoked mark that nobody bears and that is older than this is forgotten: its owner does not apply it any more.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(60 * 60);

/// The mark of a write, and when it began.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    pub(super) id: ObjectId,
    since: Instant,
}

impl Mark {
    pub(super) fn new() -> Self {
        Mark { id: ObjectId::new(), since: Instant::now() }
    }

    /// Whether its owner does not apply it any more.
    pub(super) fn is_old(&self) -> bool {
        self.since.elapsed() > APPLIED_FOR
    }
}

impl From<Mark> for Bson {
    fn from(mark: Mark) -> Self {
        Bson::ObjectId(mark.id)
    }
}

/// Greater than every mark whose owner is dead or does not use it any more.
pub(super) fn forgotten_before() -> ObjectId {
    let millis = DateTime::now().timestamp_millis() - FORGOTTEN_AFTER.as_millis() as i64;
    ObjectId::from_parts(u32::try_from(millis / 1_000).unwrap_or(0), [0; 5], [0; 3])
}

/// The clocks of two clients differ by less than this, in seconds, where the age of a parent is compared with that of a mark. Where they
/// do not, a parent is recomputed once more than it need be, or a parent that was inserted while a client was stopped is not.
const SLACK: i64 = 5 * 60;

/// Whether the first of two ids was made after the second, or not long before.
pub(super) fn is_about_as_old(one: ObjectId, other: ObjectId) -> bool {
    let seconds = |id: ObjectId| id.timestamp().timestamp_millis() / 1_000;
    seconds(one) + SLACK >= seconds(other)
}
