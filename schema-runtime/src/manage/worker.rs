//! The worker: the background work of a database, in one future. The page `worker` of [the guide](crate::guide)
//! explains the deployment.

mod counts;
mod event;
mod report;
mod reporter;
mod retry;
mod run;

use std::{fmt, sync::Arc, time::Duration};

use futures_util::{FutureExt, future::BoxFuture};
use mongodb::Database;

pub use self::{
    counts::RecoveryCounts,
    event::{Lag, WorkerEvent, WorkerJob},
    report::WorkerReport,
};
use crate::{
    definition::ModelDefinition,
    derived::{
        copies::{Watch, WatchOptions, WatchedCopies},
        throttle::Throttle,
    },
    error::Result,
    manage::recover,
};

/// The time between two recoveries.
const RECOVER_EVERY: Duration = Duration::from_secs(60);

/// The shortest time between two recoveries.
const RECOVER_AT_MOST_EVERY: Duration = Duration::from_millis(10);

/// The age from which a mark counts as left behind.
const GRACE: Duration = Duration::from_secs(60);

/// The background work of a database: [`Schema::worker`](crate::Schema::worker) makes a worker, and
/// [`run_until`](Worker::run_until) runs the worker. Any number of workers may run at once, in one process or in
/// several processes.
///
/// ```
/// # use std::time::Duration;
/// # use schema_runtime::{Schema, prelude::*, worker::WorkerEvent};
/// async fn work(schema: Schema, db: Database, stop: tokio::sync::oneshot::Receiver<()>) -> Result<()> {
///     let worker = schema.worker(&db).recover_every(Duration::from_secs(30)).on_progress(|event| match event {
///         WorkerEvent::Retrying { .. } => eprintln!("{event}"),
///         _ => println!("{event}"),
///     });
///     let report = worker.run_until(async { drop(stop.await) }).await?;
///     println!("{report}");
///     Ok(())
/// }
/// ```
#[derive(Clone)]
pub struct Worker {
    models: &'static [&'static ModelDefinition],
    database: Database,
    recover_every: Duration,
    throttle: Throttle,
    grace: Duration,
    watched: WatchedCopies,
    on_progress: Option<OnProgress>,
}

/// The progress callback.
type OnProgress = Arc<dyn Fn(&WorkerEvent) + Send + Sync>;

impl Worker {
    pub(super) fn new(models: &'static [&'static ModelDefinition], database: &Database) -> Self {
        Worker {
            models,
            database: database.clone(),
            recover_every: RECOVER_EVERY,
            throttle: Throttle::new(),
            grace: GRACE,
            watched: WatchedCopies::External,
            on_progress: None,
        }
    }

    /// Sets the time between the end of a recovery and the begin of the next recovery: 60 seconds unless set, and at
    /// least 10 milliseconds. Each wait is the time times a random number between 0.75 and 1.25, so that several
    /// workers do not run in step. The first recovery begins at once.
    pub fn recover_every(self, time: Duration) -> Self {
        Worker { recover_every: time.max(RECOVER_AT_MOST_EVERY), ..self }
    }

    /// Sets the speed at which copies are written. The progress callback of the throttle reports the documents within a
    /// long recovery of copies and within a repair of all copies; with the callback, the worker counts the documents
    /// first.
    pub fn throttle(self, throttle: Throttle) -> Self {
        Worker { throttle, ..self }
    }

    /// Sets the age of a mark of copies from which the writer counts as stopped: 60 seconds unless set. The age is by
    /// the clock of the client that set the mark. The work of a slower writer is done twice, without harm. With zero, a
    /// recovery covers all marks. Marks of [`defer_copies`](crate::operation::Update::defer_copies) have no grace, and
    /// neither have deletes, moves and differences.
    pub fn grace(self, grace: Duration) -> Self {
        Worker { grace, ..self }
    }

    /// Watches all copies, not only `external` copies: the copies also follow writes that bypass this crate. Such
    /// writes come from a shell, from a program in another language, or from another version of the application (the
    /// page `deploying` of [the guide](crate::guide)). The change stream then covers every collection that has copies
    /// or is the source of copies.
    pub fn watch_all_copies(self) -> Self {
        Worker { watched: WatchedCopies::All, ..self }
    }

    /// Calls the function with each event of the worker. An event holds names and numbers, and no value of a document.
    /// The worker waits for the function, so the function should return soon.
    pub fn on_progress(self, on_progress: impl Fn(&WorkerEvent) + Send + Sync + 'static) -> Self {
        Worker { on_progress: Some(Arc::new(on_progress)), ..self }
    }

    /// Returns whether the schema has work for a worker: copies, parents with rollups, delete rules with marks, or
    /// trees that keep their ancestors or a path. A worker without work sends no command.
    pub fn is_needed(&self) -> bool {
        recover::is_needed(self.models) || Watch::is_needed(self.models, self.watched)
    }

    /// Runs the worker until `shutdown` completes: recoveries at intervals, and the change stream if the schema has
    /// copies for a stream. After `shutdown` the commands under way end, the worker stores the position of the stream,
    /// and the future returns the report: within the time of a command, and within 20 seconds if the server does not
    /// answer. A worker without work waits for `shutdown`.
    ///
    /// The worker survives errors of the network and of the server, as in an election: the failed job waits and begins
    /// again, without end. The first wait is 100 milliseconds, each further wait is twice as long up to 10 seconds, and
    /// a random part of up to a half is taken off. A dropped future is like a stopped client: the next worker continues
    /// at the stored position.
    ///
    /// # Errors
    /// Errors that need a change of the setup end the worker: of the kinds [`Setup`](crate::ErrorKind::Setup) and
    /// [`Schema`](crate::ErrorKind::Schema), as [`NotAuthorized`](crate::Error::NotAuthorized), refused credentials,
    /// and [`NotReplicaSet`](crate::Error::NotReplicaSet) for a change stream on a standalone.
    /// [`OutsideTransaction`](crate::Error::OutsideTransaction) inside the callback of a transaction.
    pub fn run_until<'a>(self, shutdown: impl Future<Output = ()> + Send + 'a) -> BoxFuture<'a, Result<WorkerReport>> {
        let shutdown: BoxFuture<'a, ()> = Box::pin(shutdown);
        run::run_until(self, shutdown).boxed()
    }

    /// Runs the worker once: one recovery, and the handling of all changes before the call. For tests, and for jobs
    /// that a scheduler starts at intervals. The first run on a database repairs all copies of the change stream, as
    /// the first `run_until` does.
    ///
    /// # Errors
    /// The errors of [`run_until`](Worker::run_until), and every other error of the driver: nothing is tried again.
    pub fn run_once(&self) -> BoxFuture<'_, Result<WorkerReport>> {
        run::run_once(self).boxed()
    }

    fn watch_options(&self) -> WatchOptions {
        WatchOptions { copies: self.watched, throttle: self.throttle.clone(), grace: self.grace }
    }
}

/// The connection string is not shown.
impl fmt::Debug for Worker {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Worker")
            .field("database", &self.database.name())
            .field("recover_every", &self.recover_every)
            .field("throttle", &self.throttle)
            .field("grace", &self.grace)
            .field("watched", &self.watched)
            .finish_non_exhaustive()
    }
}
