//! The session of a transaction, and the mark of a running callback.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use mongodb::{
    ClientSession,
    error::{Error as DriverError, TRANSIENT_TRANSACTION_ERROR},
};
use tokio::{
    sync::{Mutex, MutexGuard},
    task::JoinHandle,
};
use tracing::Instrument;

use crate::error::{Error, Result, cause::AfterTheEnd};

tokio::task_local! {
    /// The attempt of the transaction; set while the callback of the transaction runs.
    static INSIDE: u64;
}

/// The session of a transaction, shared by the transaction's operations: one command at a time.
pub(crate) type Session = Arc<Mutex<InTransaction>>;

/// A session and the results of the session's commands.
pub(crate) struct InTransaction {
    pub(crate) session: ClientSession,
    /// The first error of a command. With the error the server has aborted the transaction, even if the callback
    /// ignores the error.
    pub(crate) failure: Option<DriverError>,
    /// Why the transaction may not commit, although the server would commit: work that belongs to a write was refused.
    pub(crate) refused: Option<Error>,
    /// The number of times that the transaction was begun, from 1 on.
    pub(crate) attempt: u64,
    /// True from the commit or the abort on: the session sends no further command, since the command would run outside
    /// of the transaction.
    pub(crate) has_ended: bool,
    /// The work after the commit.
    pub(crate) after_commit: Vec<BoxFuture<'static, Result<()>>>,
}

/// Locks the session for a command.
///
/// # Errors
/// The error of a command that begins after the end of the transaction: the handle has left the callback, or the caller
/// was dropped before the command began.
pub(super) async fn lock(session: &Session) -> Result<MutexGuard<'_, InTransaction>, DriverError> {
    let inside = session.lock().await;
    if inside.has_ended { Err(DriverError::custom(AfterTheEnd)) } else { Ok(inside) }
}

impl InTransaction {
    pub(crate) fn new(session: ClientSession, attempt: u64) -> Self {
        InTransaction { session, failure: None, refused: None, attempt, has_ended: false, after_commit: Vec::new() }
    }

    /// Returns whether the whole transaction may be tried again after this error.
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

/// Returns the number of the running attempt of a transaction; 0 outside of a transaction.
pub(super) fn attempt() -> u64 {
    INSIDE.try_with(|attempt| *attempt).unwrap_or_default()
}

/// Refuses the plain database inside the callback of a transaction: a write with the plain database would run outside
/// of the transaction.
pub(crate) fn refuse_inside() -> Result<()> {
    match INSIDE.try_with(|_| ()) {
        Ok(()) => Err(Error::OutsideTransaction),
        Err(_) => Ok(()),
    }
}

/// Runs a command to the end even when the caller is dropped.
pub(super) async fn on_a_task<T: Send + 'static>(
    command: impl Future<Output = Result<T, DriverError>> + Send + 'static,
) -> Result<T, DriverError> {
    // In a box: the compiler builds one task for each kind of result, not for each command.
    let command: BoxFuture<'static, _> = Box::pin(command);
    joined(tokio::spawn(command.in_current_span())).await?
}

/// Returns the value of a task. A panic of the task becomes a panic of the caller.
pub(super) async fn joined<T>(task: JoinHandle<T>) -> Result<T, DriverError> {
    task.await.map_err(|error| match error.try_into_panic() {
        Ok(reason) => std::panic::resume_unwind(reason),
        Err(_) => DriverError::custom("the runtime is shutting down"),
    })
}
