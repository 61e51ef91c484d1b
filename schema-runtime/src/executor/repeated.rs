//! One read for each of many documents, where one read for all of them would do: seen where it happens, and reported as an event.

use std::{
    collections::HashMap,
    sync::{LazyLock, Mutex, PoisonError},
    time::{Duration, Instant},
};

use tracing::{Level, Span, span};

use super::session;

/// How many reads of one relation in one scope are too many. The number is ours.
const REPEATS: u32 = 10;

/// The longest time between two of them: what a program reads now and then in a long span is no loop.
const PAUSE: Duration = Duration::from_secs(1);

/// How many scopes and relations are remembered before those are forgotten that have ended.
const REMEMBERED: usize = 1_024;

/// Where a read happens: the caller's span, and which attempt of a transaction. Without a span nothing tells reads of one piece of work from
/// those of another: a task may serve a connection with many requests.
type Place = (span::Id, u64);

/// Which read of one document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Read {
    /// The struct that stores what is read by.
    pub(crate) model: &'static str,
    /// The field that is read by, in Rust.
    pub(crate) by: &'static str,
    /// Whether documents are found that have it in this field, and not what the field refers to.
    pub(crate) is_far_side: bool,
}

struct Seen {
    times: u32,
    last: Instant,
}

static SEEN: LazyLock<Mutex<HashMap<(Place, Read), Seen>>> = LazyLock::new(Mutex::default);

/// Notes that one document's relation is read, or one document. `instead` is what reads them all.
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
            "a read of its own for each document (N+1): one call reads them all"
        );
    }
}

/// How often this was read here, with this time.
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
