//! Detects a separate read for each of many documents where a single read for all documents is enough, and reports the
//! repeated reads as an event.

use std::{
    collections::HashMap,
    sync::{LazyLock, Mutex, PoisonError},
    time::{Duration, Instant},
};

use tracing::{Level, Span, span};

use super::session;

/// The number of reads of a relation in one scope that is too many. The number is a choice of this crate.
const REPEATS: u32 = 10;

/// The longest time between two of the reads: reads now and then in a long span are no loop.
const PAUSE: Duration = Duration::from_secs(1);

/// The number of remembered scopes and relations above which the ended scopes are forgotten.
const REMEMBERED: usize = 1_024;

/// The place of a read: the caller's span, and the attempt of a transaction. Without a span nothing separates the reads
/// of two pieces of work: a task may serve a connection with many requests.
type Place = (span::Id, u64);

/// The kind of a read of one document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Read {
    /// The struct that stores the field of the read.
    pub(crate) model: &'static str,
    /// The field that the read searches by, in Rust.
    pub(crate) by: &'static str,
    /// True when the read finds the documents that hold the id in this field; false when the read finds the document
    /// that the field refers to.
    pub(crate) is_far_side: bool,
}

struct Seen {
    times: u32,
    last: Instant,
}

static SEEN: LazyLock<Mutex<HashMap<(Place, Read), Seen>>> = LazyLock::new(Mutex::default);

/// Notes a read of a single document, or of a document's relation. `instead` names the call that reads all documents at
/// once.
pub(crate) fn note_read(read: Read, instead: impl FnOnce() -> String) {
    if !tracing::enabled!(target: "schema_runtime", Level::WARN) {
        return;
    }
    let Some(span) = Span::current().id() else { return };
    if times(((span, session::attempt()), read), Instant::now()) == REPEATS {
        tracing::warn!(
            target: "schema_runtime",
            model = read.model,
            by = read.by,
            times = REPEATS,
            instead = %instead(),
            "a separate read for each document (N+1): a single call reads all documents"
        );
    }
}

/// Counts a read at a place, and returns the number of reads so far, with the new read.
fn times(read: (Place, Read), now: Instant) -> u32 {
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    if seen.len() >= REMEMBERED {
        seen.retain(|_, seen| now.duration_since(seen.last) <= PAUSE);
    }
    let seen = seen.entry(read).or_insert(Seen { times: 0, last: now });
    if now.duration_since(seen.last) > PAUSE {
        seen.times = 0;
    }
    seen.times = seen.times.saturating_add(1);
    seen.last = now;
    seen.times
}

#[cfg(test)]
mod tests {
    use super::*;

    const TASKS: Read = Read { model: "Task", by: "owner", is_far_side: false };

    fn place(number: u64) -> Place {
        (span::Id::from_u64(number), 0)
    }

    #[test]
    fn a_pause_begins_anew_and_others_do_not_count() {
        let (read, now) = ((place(u64::MAX), TASKS), Instant::now());
        assert_eq!(times(read.clone(), now), 1);
        assert_eq!(times(read.clone(), now + PAUSE), 2);
        assert_eq!(times((place(u64::MAX - 1), TASKS), now), 1);
        assert_eq!(times((place(u64::MAX), Read { is_far_side: true, ..TASKS }), now), 1);
        assert_eq!(times(((place(u64::MAX).0, 2), TASKS), now), 1);
        assert_eq!(times(read, now + 3 * PAUSE), 1);
    }

    #[test]
    fn what_has_ended_is_forgotten() {
        let now = Instant::now();
        for number in 0..3 * REMEMBERED as u64 {
            times((place(1 + number), TASKS), now + PAUSE * number as u32);
        }
        let remembered = SEEN.lock().unwrap_or_else(PoisonError::into_inner).len();
        assert!(remembered <= REMEMBERED + 1, "{remembered}");
    }
}
