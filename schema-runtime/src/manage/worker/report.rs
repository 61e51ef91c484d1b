//! The report of a worker. Pure.

use std::fmt;

use super::counts::RecoveryCounts;

/// The work of a [`Worker`](crate::worker::Worker) until the shutdown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct WorkerReport {
    /// The number of complete recoveries.
    pub recoveries: u64,
    /// The work of these recoveries.
    pub recovered: RecoveryCounts,
    /// The number of handled events of the change stream.
    pub events: u64,
    /// The number of changed sources whose copies were propagated by the change stream.
    pub sources: u64,
    /// The number of holders that the change stream compared with the sources.
    pub holders: u64,
    /// The number of sources and holders with a mark that were propagated since the change stream saw a deferred mark.
    pub marks: u64,
    /// The number of sources and holders that the server refused to write for the change stream, as by a validator. A
    /// refused document stays unchanged.
    pub refused: u64,
    /// The number of repairs of all watched copies: at the first start, and when the change stream could not continue.
    pub resyncs: u64,
    /// The number of errors after which a job began again.
    pub errors: u64,
}

impl fmt::Display for WorkerReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WorkerReport { recoveries, recovered, events, sources, holders, marks, refused, resyncs, errors } = self;
        write!(
            formatter,
            "recoveries: {recoveries} ({recovered}), events: {events}, sources propagated: {sources}, holders compared: {holders}, markers: {marks}, refused: {refused}, resyncs: {resyncs}, errors survived: {errors}"
        )
    }
}
