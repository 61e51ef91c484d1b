//! The jobs of a worker, side by side. Reaches the server.

use std::{
    future::pending,
    pin::pin,
    time::{Duration, Instant},
};

use futures_util::future::{BoxFuture, select};
use tracing::{Instrument, field::Empty};

use super::{
    Worker,
    counts::RecoveryCounts,
    event::WorkerJob,
    report::WorkerReport,
    reporter::Reporter,
    retry::{Backoff, about, is_final},
};
use crate::{
    derived::copies::{Watch, Watched},
    error::{Error, Result},
    executor::{Context, Executor, until_halted},
    manage::recover::{self, recover},
    operation::WRITER,
};

/// How long a shutdown waits for the commands under way, and again for the write of the position.
const SHUTDOWN: Duration = Duration::from_secs(10);

pub(super) async fn run_until(worker: Worker, shutdown: BoxFuture<'_, ()>) -> Result<WorkerReport> {
    let context = worker.database.plain_context()?;
    let reporter = Reporter::new(worker.on_progress.clone());
    let mut watch = Watch::new(worker.models, &context, worker.watch_options());
    let jobs = async {
        let (recoveries, changes) =
            (pin!(recoveries(&worker, &context, &reporter)), pin!(changes(watch.as_mut(), &reporter)));
        select(recoveries, changes).await.factor_first().0
    };
    if let Some(error) = until_halted(jobs, shutdown, SHUTDOWN).await {
        tracing::error!(%error, "the worker ends");
        return Err(error);
    }
    if let Some(watch) = &mut watch {
        store_position(watch).await;
    }
    Ok(reporter.report(watched(watch.as_ref())))
}

pub(super) async fn run_once(worker: &Worker) -> Result<WorkerReport> {
    let context = worker.database.plain_context()?;
    let reporter = Reporter::new(worker.on_progress.clone());
    let mut watch = Watch::new(worker.models, &context, worker.watch_options());
    recover_once(worker, &context, &reporter).await?;
    if let Some(watch) = &mut watch {
        watch.catch_up(&|step| reporter.stepped(step)).await?;
    }
    Ok(reporter.report(watched(watch.as_ref())))
}

/// Recovers at intervals, and returns the error that ends the worker.
async fn recoveries(worker: &Worker, context: &Context, reporter: &Reporter) -> Error {
    if !recover::is_needed(worker.models) {
        return pending().await;
    }
    let mut backoff = Backoff::default();
    loop {
        let wait = match recover_once(worker, context, reporter).await {
            Ok(()) => {
                backoff.reset();
                about(worker.recover_every)
            }
            Err(error) if is_final(&error) => return error,
            Err(error) => retry_after(&mut backoff, WorkerJob::Recovery, &error, reporter),
        };
        tokio::time::sleep(wait).await;
    }
}

async fn recover_once(worker: &Worker, context: &Context, reporter: &Reporter) -> Result<()> {
    let begun = Instant::now();
    let span = tracing::debug_span!(
        target: "schema_runtime",
        "recovery",
        db.namespace = worker.database.name(),
        worker.sources = Empty,
        worker.holders = Empty,
        worker.differences = Empty,
        worker.deletes = Empty,
        worker.inserts = Empty,
        worker.moves = Empty,
        worker.refused = Empty,
    );
    let recovering = recover(worker.models, context, &worker.throttle, worker.grace, WRITER);
    let counts = RecoveryCounts::of(&recovering.instrument(span.clone()).await?);
    span.record("worker.sources", counts.sources);
    span.record("worker.holders", counts.holders);
    span.record("worker.differences", counts.differences);
    span.record("worker.deletes", counts.deletes);
    span.record("worker.inserts", counts.inserts);
    span.record("worker.moves", counts.moves);
    span.record("worker.refused", counts.refused);
    reporter.recovered(counts, begun.elapsed());
    Ok(())
}

/// Handles the changes of the stream, and returns the error that ends the worker.
async fn changes(watch: Option<&mut Watch>, reporter: &Reporter) -> Error {
    let Some(watch) = watch else { return pending().await };
    let mut backoff = Backoff::default();
    loop {
        let before = watch.batches();
        if let Err(error) = watch.run(&|step| reporter.stepped(step)).await {
            if is_final(&error) {
                return error;
            }
            if watch.batches() > before {
                backoff.reset();
            }
            tokio::time::sleep(retry_after(&mut backoff, WorkerJob::Changes, &error, reporter)).await;
        }
    }
}

/// Reports an error, and returns the wait before the next attempt.
fn retry_after(backoff: &mut Backoff, job: WorkerJob, error: &Error, reporter: &Reporter) -> Duration {
    let (failures, wait) = backoff.next();
    reporter.retries(job, error, failures, wait);
    wait
}

/// Stores the position of the stream. After a failure the next worker begins at the position before, and repeats some
/// work.
async fn store_position(watch: &mut Watch) {
    match tokio::time::timeout(SHUTDOWN, watch.store_position()).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!(%error, "the position of the changes is not stored"),
        Err(_) => tracing::warn!("the position of the changes is not stored in time"),
    }
}

fn watched(watch: Option<&Watch>) -> Watched {
    watch.map(Watch::watched).unwrap_or_default()
}
