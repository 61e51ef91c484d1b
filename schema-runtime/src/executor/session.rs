//! The session of a transaction, and whether the callback of one is running.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use mongodb::{
    ClientSession,
    error::{Error as DriverError, TRANSIENT_TRANSACTION_ERROR},
};
use tokio::{sync::Mutex, task::JoinHandle};
use tracing::Instrument;

use crate::error::{Error, Result};

tokio::task_local! {
    /// Set while the callback of a transaction runs: which attempt it is.
    static INSIDE: u64;
}

/// The session of a transaction, shared by its operations: one command at a time.
pub(crate) type Session = Arc<Mutex<InTransaction>>;

/// A session and what became of its commands.
pub(crate) struct InTransaction {
    pub(crate) session: ClientSession,
    /// The first error of a command. The server has aborted the transaction with it, whatever the callback makes of it.
    pub(crate) failure: Option<DriverError>,
    /// Why the transaction may not commit, although the server would: what belongs to a write of it was refused.
    pub(crate) refused: Option<Error>,
    /// How often the transaction was begun, from 1 on.
    pub(crate) attempt: u64,
    /// What follows the commit.
    pub(crate) after_commit: Vec<BoxFuture<'static, Result<()>>>,
}

impl InTransaction {
    /// Whether the whole transaction may be tried again after this error.
    pub(crate) fn may_retry(error: &DriverError) -> bool {
        error.contains_label(TRANSIENT_TRANSACTION_ERROR)
    }

    /// Keeps the first error.
    pub(crate) fn noted<T>(&mut self, result: Result<T, DriverError>) -> Result<T, DriverError> {
        if let (Err(error), None) = (&result, &self.failure) {
            self.failure = Some(error.clone());
        }
        result
    }
}

/// Runs the callback of a transaction for the `attempt`-th time.
pub(crate) async fn inside<T>(attempt: u64, callback: impl Future<Output = T>) -> T {
    INSIDE.scope(attempt, callback).await
}

/// Which attempt of a transaction runs; 0 outside of one.
pub(super) fn attempt() -> u64 {
    INSIDE.try_with(|attempt| *attempt).unwrap_or_default()
}

/// An error inside the callback of a transaction, where the plain database would write past it.
pub(crate) fn refuse_inside() -> Result<()> {
    match INSIDE.try_with(|_| ()) {
        Ok(()) => Err(Error::OutsideTransaction),
        Err(_) => Ok(()),
    }
}

/// Runs to its end even when the caller is dropped.
pub(super) async fn on_a_task<T: Send + 'static>(
    command: impl Future<Output = Result<T, DriverError>> + Send + 'static,
) -> Result<T, DriverError> {
    // In a box, so that one task is compiled for each kind of result, not for each command.
    let command: BoxFuture<'static, _> = Box::pin(command);
    joined(tokio::spawn(command.in_current_span())).await?
}

/// The value of a task. A panic of the task is the caller's.
pub(super) async fn joined<T>(task: JoinHandle<T>) -> Result<T, DriverError> {
    task.await.map_err(|error| match error.try_into_panic() {
        Ok(reason) => std::panic::resume_unwind(reason),
        Err(_) => DriverError::custom("the runtime is shutting down"),
    })
}
