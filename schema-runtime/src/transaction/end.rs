//! The end of an attempt: the commit or the abort.

use std::time::Instant;

use mongodb::{
    ClientSession, Database,
    error::{Error as DriverError, UNKNOWN_TRANSACTION_COMMIT_RESULT},
};

use crate::{
    error::{Error, Result, code},
    executor::{CommandSpan, InTransaction, Session},
};

/// The end of an attempt.
pub(super) enum End {
    Committed,
    /// Nothing was written: the callback has returned an error, and the caller gets this error.
    Aborted,
    /// The whole transaction is to run again.
    Again,
}

/// The number of further failures after which a transaction is tried again; `None` for any number until the time is
/// over.
#[derive(Clone, Copy, Default)]
pub(super) struct Left {
    /// Failures that are no conflicts.
    pub(super) failures: Option<u32>,
    pub(super) conflicts: Option<u32>,
}

impl Left {
    /// Returns the numbers after one more failure; `None` where the failure is the last.
    fn less(mut self, is_conflict: bool) -> Option<Self> {
        let left = if is_conflict { &mut self.conflicts } else { &mut self.failures };
        if let Some(left) = left {
            *left = left.checked_sub(1)?;
        }
        Some(self)
    }
}

/// Commits or aborts, and returns whether to run the whole transaction again. The first failure of a command decides,
/// not the error of the callback: the callback may have any error type.
///
/// # Errors
/// The error of the transaction, where the callback returned no error or another error than the caller needs.
pub(super) async fn end(
    db: &Database,
    session: &Session,
    is_ok: bool,
    until: Instant,
    left: Left,
) -> Result<(End, Left)> {
    let mut inside = session.lock().await;
    let refused = inside.refused.take().filter(|_| is_ok);
    let (failure, error) = match (inside.failure.take(), refused) {
        (None, None) if is_ok => match commit(db, &mut inside.session, until).await {
            Ok(()) => return Ok((End::Committed, left)),
            Err(failure) => (Some(failure), None),
        },
        // The callback may not have returned the error; the server has aborted all the same.
        (failure, refused) => (failure, refused),
    };
    abort(db, &mut inside.session).await;
    let Some(failure) = failure else { return error.map_or(Ok((End::Aborted, left)), Err) };
    let is_conflict = code::server_code(&failure).is_some_and(|code| code::CONFLICTS.contains(&code));
    if InTransaction::may_retry(&failure) && Instant::now() < until {
        match left.less(is_conflict) {
            Some(left) => return Ok((End::Again, left)),
            None if is_conflict => return Err(Error::WriteConflict),
            None => {}
        }
    }
    match error {
        _ if code::is_standalone(&failure) => Err(Error::NotReplicaSet),
        Some(refused) => Err(refused),
        None if is_ok => Err(Error::from(failure)),
        None => Ok((End::Aborted, left)),
    }
}

/// Commits. An unknown outcome is asked for again, and the server answers truly.
async fn commit(db: &Database, session: &mut ClientSession, until: Instant) -> Result<(), DriverError> {
    loop {
        let span = CommandSpan::new(db, "commitTransaction", None);
        match span.run(session.commit_transaction().into_future()).await {
            Err(error)
                if error.contains_label(UNKNOWN_TRANSACTION_COMMIT_RESULT)
                    && !timed_out(&error)
                    && Instant::now() < until => {}
            other => return other,
        }
    }
}

/// Aborts. When the abort fails, the server ends the transaction without a request.
pub(super) async fn abort(db: &Database, session: &mut ClientSession) {
    let span = CommandSpan::new(db, "abortTransaction", None);
    if let Err(error) = span.run(session.abort_transaction().into_future()).await {
        let error = Error::from(error);
        tracing::debug!(%error, "the transaction was not aborted by request");
    }
}

/// Returns whether the error is `MaxTimeMSExpired`: a second request would take as long again.
fn timed_out(error: &DriverError) -> bool {
    code::command_code(error) == Some(code::MAX_TIME_MS_EXPIRED)
}
