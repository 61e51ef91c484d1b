//! A time limit that may change while operations run.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

/// A time in milliseconds; 0 for no limit.
#[derive(Debug, Default)]
pub(crate) struct TimeLimit(AtomicU64);

impl TimeLimit {
    pub(in crate::executor) fn set(&self, time: Option<Duration>) {
        let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX).max(1);
        self.0.store(time.map_or(0, millis), Ordering::Relaxed);
    }

    pub(in crate::executor) fn get(&self) -> Option<Duration> {
        let millis = self.0.load(Ordering::Relaxed);
        (millis > 0).then(|| Duration::from_millis(millis))
    }
}
