//! The events of a worker, without any value of a document. Pure.

use std::{fmt, time::Duration};

use super::counts::RecoveryCounts;
use crate::error::ErrorKind;

/// An event of a [`Worker`](crate::worker::Worker). No event holds a value of a document or a part of the connection
/// string.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum WorkerEvent {
    /// A recovery is complete. Recoveries without work are events too.
    #[non_exhaustive]
    Recovered {
        /// The work of the recovery.
        counts: RecoveryCounts,
        /// The duration of the recovery.
        elapsed: Duration,
    },
    /// A batch of changes is handled. The event also comes about each second without changes.
    Lagging(Lag),
    /// All watched copies were repaired: at the first start, and when the change stream could not continue at the
    /// stored position.
    #[non_exhaustive]
    Resynced {
        /// The number of holders that the server refused to write.
        refused: u64,
        /// The duration of the repair.
        elapsed: Duration,
    },
    /// A job has failed, and begins again after a wait.
    #[non_exhaustive]
    Retrying {
        /// The failed job.
        job: WorkerJob,
        /// The kind of the error.
        kind: ErrorKind,
        /// The text of the error, which has no value of a document.
        message: String,
        /// The number of failures in a row, from 1 on.
        failures: u32,
        /// The wait before the next attempt.
        wait: Duration,
    },
}

/// A job of a [`Worker`](crate::worker::Worker).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WorkerJob {
    /// The recovery of work that stopped clients have left behind.
    Recovery,
    /// The change stream, whose changes copies follow.
    Changes,
}

/// The delay of a change stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lag {
    /// The time between the last handled event and now, in whole seconds by the clocks of the server and of this
    /// process. Zero when no event is left to handle.
    pub behind: Duration,
    /// The number of events that this worker has handled so far.
    pub events: u64,
}

impl fmt::Display for WorkerJob {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            WorkerJob::Recovery => "recovery",
            WorkerJob::Changes => "changes",
        })
    }
}

impl fmt::Display for WorkerEvent {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WorkerEvent::Recovered { counts, elapsed } => write!(formatter, "recovery in {elapsed:.1?}: {counts}"),
            WorkerEvent::Lagging(Lag { behind, events }) => {
                write!(formatter, "changes: {} s behind, {events} handled", behind.as_secs())
            }
            WorkerEvent::Resynced { refused, elapsed } => {
                write!(formatter, "all watched copies repaired in {elapsed:.1?}, {refused} refused")
            }
            WorkerEvent::Retrying { job, message, failures, wait, .. } => {
                write!(formatter, "{job}: failure {failures}, again in {wait:.1?}: {message}")
            }
        }
    }
}
