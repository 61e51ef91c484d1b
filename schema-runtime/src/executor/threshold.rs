//! The time from which a command of a client is slow.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

/// The time of a slow command where a client has no threshold of its own, in milliseconds: the default of MongoDB's
/// profiler (`slowOpThresholdMs`).
pub(super) const DEFAULT: u64 = 100;

/// The threshold of a client without slow commands.
const OFF: u64 = u64::MAX;

/// A time in milliseconds.
#[derive(Debug)]
pub(super) struct Threshold(AtomicU64);

impl Default for Threshold {
    fn default() -> Self {
        Threshold(AtomicU64::new(DEFAULT))
    }
}

impl Threshold {
    /// Sets the time, and returns the time in milliseconds; `None` for a client without slow commands.
    pub(super) fn set(&self, time: Option<Duration>) -> u64 {
        let millis = time.map_or(OFF, |time| u64::try_from(time.as_millis()).unwrap_or(OFF));
        self.0.store(millis, Ordering::Relaxed);
        millis
    }

    pub(super) fn millis(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}
