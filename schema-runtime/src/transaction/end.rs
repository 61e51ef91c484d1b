//! The end of an attempt: the commit or the abort.

use std::time::{Duration, Instant};

use mongodb::{
    ClientSession, Database,
    bson::{Document, doc},
    error::{Error as DriverError, UNKNOWN_TRANSACTION_COMMIT_RESULT},
};

use crate::{
    error::{Error, Result, code},
    executor::{CommandSpan, InTransaction, Session},
};

/// The wait for a command that was ended by request, before the next request.
const ONCE_MORE: Duration = Duration::from_secs(1);

/// The end of an attempt.
pub(super) enum End {
    Committed,
    /// Nothing was written: the callback has returned an error, and the caller gets this error.
    Aborted,
    /// Nothing was written, for a reason that the callback has not returned.
    Failed(Error),
    /// The commit was sent, and the outcome is unknown.
    Unknown(Error),
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
pub(super) async fn end(
    db: &Database,
    id: &Document,
    session: &Session,
    is_ok: bool,
    until: Instant,
    left: Left,
) -> (End, Left) {
    let is_under_way = !is_ok && session.try_lock().is_err();
    if is_under_way {
        // A command of the callback has no caller any more.
        abort_all(db, id, session).await;
    }
    let mut inside = session.lock().await;
    inside.has_ended = true;
    let refused = inside.refused.take().filter(|_| is_ok);
    // The command that was ended by request is no failure of the callback.
    let failed = inside.failure.take().filter(|failure| !(is_under_way && was_ended_by_request(failure)));
    let (failure, error) = match (failed, refused) {
        (None, None) if is_ok => match commit(db, &mut inside.session, until).await {
            Ok(()) => return (End::Committed, left),
            Err(failure) if failure.contains_label(UNKNOWN_TRANSACTION_COMMIT_RESULT) => {
                return (End::Unknown(failure.into()), left);
            }
            Err(failure) => (Some(failure), None),
        },
        // The callback may not have returned the error; the server has aborted all the same.
        (failure, refused) => (failure, refused),
    };
    if !is_under_way {
        abort(db, &mut inside.session).await;
    }
    let Some(failure) = failure else { return (error.map_or(End::Aborted, End::Failed), left) };
    let is_conflict = code::server_code(&failure).is_some_and(|code| code::CONFLICTS.contains(&code));
    if InTransaction::may_retry(&failure) && Instant::now() < until {
        match left.less(is_conflict) {
            Some(left) => return (End::Again, left),
            None if is_conflict => return (End::Failed(Error::WriteConflict), left),
            None => {}
        }
    }
    let end = match error {
        _ if code::is_standalone(&failure) => End::Failed(Error::NotReplicaSet),
        Some(refused) => End::Failed(refused),
        None if is_ok => End::Failed(failure.into()),
        None => End::Aborted,
    };
    (end, left)
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

/// Aborts a transaction, also while a command of a dropped caller is under way: the server then ends the command, with
/// the cursors of the session.
pub(super) async fn abort_all(db: &Database, id: &Document, session: &Session) {
    let mut inside = session.try_lock().ok();
    while inside.is_none() {
        let span = CommandSpan::new(db, "killSessions", None);
        let admin = db.client().database("admin");
        let kill = admin.run_command(doc! { "killSessions": [id.clone()] });
        if let Err(error) = span.run(kill.into_future()).await {
            let error = Error::from(error);
            tracing::debug!(%error, "the command of a dropped caller was not ended by request");
        }
        // The command may reach the server after the request.
        inside = tokio::time::timeout(ONCE_MORE, session.lock()).await.ok();
    }
    if let Some(mut inside) = inside {
        inside.has_ended = true;
        abort(db, &mut inside.session).await;
    }
}

/// Aborts. When the abort fails, the server ends the transaction without a request.
async fn abort(db: &Database, session: &mut ClientSession) {
    let span = CommandSpan::new(db, "abortTransaction", None);
    if let Err(error) = span.run(session.abort_transaction().into_future()).await {
        let error = Error::from(error);
        tracing::debug!(%error, "the transaction was not aborted by request");
    }
}

/// Returns whether `killSessions` has ended the command, or the transaction before the command.
fn was_ended_by_request(error: &DriverError) -> bool {
    let code = code::server_code(error);
    code.is_some_and(|code| code == code::INTERRUPTED || code::ENDED_TRANSACTIONS.contains(&code))
}

/// Returns whether the error is `MaxTimeMSExpired`: a second request would take as long again.
fn timed_out(error: &DriverError) -> bool {
    code::command_code(error) == Some(code::MAX_TIME_MS_EXPIRED)
}
