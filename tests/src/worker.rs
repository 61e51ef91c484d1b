//! A worker on a task of its own, with the events of the worker.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use mongodb::{
    Database,
    bson::{Document, doc},
};
use schema_runtime::{
    Result,
    worker::{Worker, WorkerEvent, WorkerReport},
};
use tokio::{sync::oneshot, task::JoinHandle};

use crate::PATIENCE;

const PAUSE: Duration = Duration::from_millis(20);

/// A running worker. A dropped value stops the worker.
pub struct RunningWorker {
    stop: oneshot::Sender<()>,
    task: JoinHandle<Result<WorkerReport>>,
    events: Arc<Mutex<Vec<WorkerEvent>>>,
}

impl RunningWorker {
    /// Starts the worker. The events of the worker are kept.
    pub fn start(worker: Worker) -> Self {
        let events = Arc::<Mutex<Vec<WorkerEvent>>>::default();
        let kept = Arc::clone(&events);
        let worker = worker.on_progress(move |event| {
            kept.lock().unwrap_or_else(PoisonError::into_inner).push(event.clone());
        });
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(worker.run_until(async { drop(stopped.await) }));
        RunningWorker { stop, task, events }
    }

    /// Starts a worker that recovers and that has a change stream. Waits for the first recovery, and for the begin of
    /// the stream: the changes from now on are events.
    ///
    /// # Panics
    /// If the worker ends.
    pub async fn begun(db: &Database, worker: Worker) -> Self {
        let mut running = RunningWorker::start(worker);
        while running.recoveries() == 0 || !has_position(db).await {
            if running.task.is_finished() {
                panic!("{:?}", (&mut running.task).await);
            }
            tokio::time::sleep(PAUSE).await;
        }
        running
    }

    /// Returns the events up to now.
    pub fn events(&self) -> Vec<WorkerEvent> {
        self.events.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the number of complete recoveries.
    pub fn recoveries(&self) -> usize {
        self.events().iter().filter(|event| matches!(event, WorkerEvent::Recovered { .. })).count()
    }

    /// Returns the number of complete repairs of all watched copies.
    pub fn resyncs(&self) -> usize {
        self.events().iter().filter(|event| matches!(event, WorkerEvent::Resynced { .. })).count()
    }

    /// Returns the number of errors after which a job began again.
    pub fn errors(&self) -> usize {
        self.events().iter().filter(|event| matches!(event, WorkerEvent::Retrying { .. })).count()
    }

    /// Waits until the worker has handled this many events of the change stream, has counted the work, and has stored
    /// the position behind the events.
    ///
    /// # Panics
    /// If the events never come.
    #[track_caller]
    pub fn until_handled(&self, events: u64) -> impl Future<Output = ()> {
        let is_handled = move |event: &WorkerEvent| matches!(event, WorkerEvent::Lagging(lag) if lag.events >= events);
        until(async move || self.events().iter().any(is_handled))
    }

    /// Waits until the recovery under way, or the next recovery, is complete and counted.
    ///
    /// # Panics
    /// If no recovery comes to an end.
    #[track_caller]
    pub fn until_recovered(&self) -> impl Future<Output = ()> {
        let before = self.recoveries();
        until(async move || self.recoveries() > before)
    }

    /// Returns whether the worker has ended.
    pub fn is_finished(&self) -> bool {
        self.task.is_finished()
    }

    /// Drops the future of the worker, and waits for the drop.
    ///
    /// # Panics
    /// If the worker has ended by itself.
    pub async fn abort(self) {
        self.task.abort();
        let ended = self.task.await;
        assert!(ended.as_ref().is_err_and(tokio::task::JoinError::is_cancelled), "{ended:?}");
    }

    /// Asks the worker to stop, and returns the report.
    ///
    /// # Panics
    /// If the worker has ended with an error.
    pub async fn stop(self) -> WorkerReport {
        self.ended().await.expect("the worker survives")
    }

    /// Asks the worker to stop, and returns the result.
    ///
    /// # Errors
    /// The error of the worker.
    ///
    /// # Panics
    /// If the worker panics.
    pub async fn ended(self) -> Result<WorkerReport> {
        let _ = self.stop.send(());
        self.task.await.expect("no panic")
    }
}

/// Returns whether a worker has stored the position of a change stream: a repair of everything, or a batch of events,
/// is done.
///
/// # Panics
/// If the server refuses the read.
pub async fn has_position(db: &Database) -> bool {
    let position = doc! { "$or": [{ "time": { "$exists": true } }, { "token": { "$exists": true } }] };
    db.collection::<Document>("schema_watch").find_one(position).await.expect("a read").is_some()
}

/// Waits for the condition.
///
/// # Panics
/// If the condition never comes.
#[track_caller]
pub fn until(mut is_so: impl AsyncFnMut() -> bool) -> impl Future<Output = ()> {
    let place = std::panic::Location::caller();
    async move {
        let begun = Instant::now();
        while !is_so().await {
            assert!(begun.elapsed() < PATIENCE, "the condition at {place} never came");
            tokio::time::sleep(PAUSE).await;
        }
    }
}
