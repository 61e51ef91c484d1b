//! Tells the events of a worker to the callback and to `tracing`, and counts recoveries and errors.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, SystemTime},
};

use mongodb::bson::Timestamp;

use super::{
    OnProgress,
    counts::RecoveryCounts,
    event::{Lag, WorkerEvent, WorkerJob},
    report::WorkerReport,
};
use crate::{
    derived::copies::{WatchStep, Watched},
    error::Error,
};

pub(super) struct Reporter {
    on_progress: Option<OnProgress>,
    report: Mutex<WorkerReport>,
}

impl Reporter {
    pub(super) fn new(on_progress: Option<OnProgress>) -> Self {
        Reporter { on_progress, report: Mutex::default() }
    }

    /// Returns the report, with the work of the change stream.
    pub(super) fn report(&self, watched: Watched) -> WorkerReport {
        let Watched { events, sources, holders, marks, refused, resyncs } = watched;
        let report = *self.report.lock().unwrap_or_else(PoisonError::into_inner);
        WorkerReport { events, sources, holders, marks, refused, resyncs, ..report }
    }

    pub(super) fn recovered(&self, counts: RecoveryCounts, elapsed: Duration) {
        self.count(|report| {
            report.recoveries += 1;
            report.recovered += counts;
        });
        match counts.is_empty() {
            true => tracing::debug!(?elapsed, "nothing to recover"),
            false => tracing::info!(%counts, ?elapsed, "left work is recovered"),
        }
        self.tell(&WorkerEvent::Recovered { counts, elapsed });
    }

    pub(super) fn stepped(&self, step: WatchStep) {
        self.tell(&match step {
            WatchStep::Handled { time, events } => WorkerEvent::Lagging(Lag { behind: behind(time), events }),
            WatchStep::Resynced { refused, elapsed } => {
                tracing::info!(refused, ?elapsed, "all watched copies are repaired");
                WorkerEvent::Resynced { refused, elapsed }
            }
        });
    }

    /// Reports an error after which the job begins again.
    pub(super) fn retries(&self, job: WorkerJob, error: &Error, failures: u32, wait: Duration) {
        self.count(|report| report.errors += 1);
        tracing::warn!(%job, %error, failures, ?wait, "a job of the worker begins again");
        self.tell(&WorkerEvent::Retrying { job, kind: error.kind(), message: error.to_string(), failures, wait });
    }

    fn count(&self, change: impl FnOnce(&mut WorkerReport)) {
        change(&mut self.report.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn tell(&self, event: &WorkerEvent) {
        if let Some(on_progress) = &self.on_progress {
            on_progress(event);
        }
    }
}

/// Returns the time between an event and now; zero without an event.
fn behind(time: Option<Timestamp>) -> Duration {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    Duration::from_secs(time.map_or(0, |time| now.as_secs().saturating_sub(time.time.into())))
}
