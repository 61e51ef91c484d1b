//! Transactions: several operations that happen all or not at all. Reaches the server.

use std::{
    fmt,
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::future::BoxFuture;
use mongodb::{
    ClientSession, Database,
    error::{Error as DriverError, UNKNOWN_TRANSACTION_COMMIT_RESULT},
    options::{ReadConcern, ReadPreference, SelectionCriteria, WriteConcern},
};
use tokio::{runtime::Handle, sync::Mutex};

use crate::{
    error::{Error, Result, code},
    executor::{self, CommandSpan, Context, Executor, InTransaction, Open, Sealed, Session, run_to_end, session},
    limits::{TRANSACTION_CONFLICTS, TRANSACTION_FAILURES, TRANSACTION_TIME},
};

/// A running transaction: an owned, cheap handle. Every operation takes the handle in the place of the database.
#[derive(Clone)]
pub struct Transaction {
    pub(crate) context: Context,
}

/// Runs `body` in a transaction: all operations of `body` happen, or none.
///
/// ```
/// use schema_runtime::{prelude::*, transaction};
///
/// # #[derive(Model, Serialize, Deserialize)]
/// # #[model(collection = "accounts")]
/// # struct Account { #[serde(rename = "_id")] id: i64, cents: i64 }
/// async fn move_all(db: &Database, from: i64, to: i64) -> schema_runtime::Result<()> {
///     transaction(db, |tx| async move {
///         let mut from = Account::get_by_id(&tx, &from).await?;
///         let mut to = Account::get_by_id(&tx, &to).await?;
///         to.cents += from.cents;
///         from.cents = 0;
///         Account::replace(&tx, &from).await?;
///         Account::replace(&tx, &to).await
///     })
///     .await
/// }
/// ```
///
/// Reads see the data of one moment (read concern `snapshot`); the commit waits for a majority of the members. When
/// another write comes between, the server aborts the transaction and `body` runs again: `body` should do nothing that
/// cannot be done twice. The attempts go on for at most 120 seconds. A transaction that the server has aborted stays
/// aborted, with any result of `body`: when `body` does not return the error, the transaction does. The transaction
/// also returns the error of work that belongs to a write, as a [`DanglingReference`](Error::DanglingReference) at the
/// far end of a link.
///
/// # Errors
/// The errors of `body`. [`Error::OutsideTransaction`] when `body` uses the plain database instead of the handle, or
/// begins another transaction. [`Error::NotReplicaSet`] on a standalone server, which has no transactions.
pub async fn transaction<T, F, Fut>(db: &Database, body: F) -> Result<T>
where
    F: FnMut(Transaction) -> Fut,
    Fut: Future<Output = Result<T>>,
{
    transaction_within(db, TRANSACTION_TIME, body).await
}

/// Runs a transaction of one write. After a lost connection the write ends sooner than a transaction of the user. With
/// a context of few attempts, the transaction ends after a few conflicts with [`Error::WriteConflict`], since other
/// writes wait for the transaction.
pub(crate) async fn write_transaction<T, F, Fut>(context: &Context, body: F) -> Result<T>
where
    F: FnMut(Transaction) -> Fut,
    Fut: Future<Output = Result<T>>,
{
    let conflicts = context.has_few_attempts().then_some(TRANSACTION_CONFLICTS);
    let (db, left) = (context.database(), Left { failures: Some(TRANSACTION_FAILURES), conflicts });
    run(db, Attempts { left, ..Attempts::new(db, TRANSACTION_TIME)? }, body).await
}

/// Runs `body` as [`transaction`] does, with attempts for at most `retry_for`.
///
/// # Errors
/// The errors of [`transaction`].
pub async fn transaction_within<T, F, Fut>(db: &Database, retry_for: Duration, body: F) -> Result<T>
where
    F: FnMut(Transaction) -> Fut,
    Fut: Future<Output = Result<T>>,
{
    run(db, Attempts::new(db, retry_for)?, body).await
}

async fn run<T, F, Fut>(db: &Database, mut attempts: Attempts<'_>, mut body: F) -> Result<T>
where
    F: FnMut(Transaction) -> Fut,
    Fut: Future<Output = Result<T>>,
{
    let mut pauses = executor::Attempts::default();
    loop {
        let begun = attempts.begin().await?;
        let handle = Transaction { context: Context::in_session(db, begun.session.clone()) };
        let attempt = attempts.count;
        let ran = attempts.span.within(async { session::inside(attempt, body(handle)).await }).await;
        let (value, result) = match ran {
            Ok(value) => (Some(value), Ok(())),
            Err(error) => (None, Err(error)),
        };
        if let (End::Committed, Some(value)) = (attempts.end(begun, result).await?, value) {
            return Ok(value);
        }
        pauses.again().await?;
    }
}

/// One transaction with all attempts. The steps return boxed futures, so that rustc compiles the steps in this crate
/// and not again for each callback.
struct Attempts<'a> {
    db: &'a Database,
    until: Instant,
    span: CommandSpan,
    count: u64,
    left: Left,
}

/// The number of further failures after which a transaction is tried again; `None` for any number until the time is
/// over.
#[derive(Clone, Copy, Default)]
struct Left {
    /// Failures that are no conflicts.
    failures: Option<u32>,
    conflicts: Option<u32>,
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

/// A transaction that has begun. Plain writes beside the transaction wait in turn.
struct Begun {
    db: Database,
    session: Session,
    /// The entry in the gate; `None` when the transaction has ended, and where the client has no gate.
    open: Option<Open>,
}

impl Drop for Begun {
    /// Aborts the transaction of a dropped caller: the abort has a connection as well.
    fn drop(&mut self) {
        let (Some(open), Ok(runtime)) = (self.open.take(), Handle::try_current()) else { return };
        let (db, session) = (self.db.clone(), self.session.clone());
        let abort: BoxFuture<'static, ()> = Box::pin(async move {
            let aborted = async { abort(&db, &mut session.lock().await.session).await };
            // After this time the server has ended the transaction.
            let _ = tokio::time::timeout(TRANSACTION_TIME, aborted).await;
            drop(open);
        });
        runtime.spawn(abort);
    }
}

enum End {
    Committed,
    /// The whole transaction is to run again.
    Again,
}

impl<'a> Attempts<'a> {
    fn new(db: &'a Database, retry_for: Duration) -> Result<Self> {
        session::refuse_inside()?;
        let (until, span) = (Instant::now() + retry_for, CommandSpan::of_transaction(db));
        Ok(Attempts { db, until, span, count: 0, left: Left::default() })
    }

    fn begin(&mut self) -> BoxFuture<'_, Result<Begun>> {
        Box::pin(async {
            self.count += 1;
            self.span.attempt(self.count);
            let open = executor::open(self.db).await;
            let mut session = self.db.client().start_session().await?;
            let begin = session.start_transaction().read_concern(ReadConcern::snapshot());
            // The transaction reads from the primary, independent of the client's read preference.
            let primary = SelectionCriteria::ReadPreference(ReadPreference::Primary);
            begin.selection_criteria(primary).write_concern(WriteConcern::majority()).await?;
            let session =
                InTransaction { session, failure: None, refused: None, attempt: self.count, after_commit: Vec::new() };
            let session = Arc::new(Mutex::new(session));
            Ok(Begun { db: self.db.clone(), session, open })
        })
    }

    /// Commits or aborts the work of the callback, by the result of the callback. After a commit, does the work that
    /// follows the commit.
    fn end(&mut self, mut begun: Begun, result: Result<()>) -> BoxFuture<'_, Result<End>> {
        let (db, until, left) = (self.db.clone(), self.until, self.left);
        let ends: BoxFuture<'static, Result<(End, Left)>> = Box::pin(async move {
            let ended = end(&db, &begun.session, result, until, left).await;
            drop(begun.open.take());
            let ended = ended?;
            if let (End::Committed, _) = ended {
                let then = std::mem::take(&mut begun.session.lock().await.after_commit);
                let mut followed = Ok(());
                for then in then {
                    followed = followed.and(then.await);
                }
                followed?;
            }
            Ok(ended)
        });
        Box::pin(async move {
            // The transaction of a dropped caller ends, with the work that follows the commit.
            let (ended, left) = self.span.within(run_to_end(self.db, ends)).await?;
            self.left = left;
            Ok(ended)
        })
    }
}

/// Commits or aborts, and returns whether to run the whole transaction again.
async fn end(db: &Database, session: &Session, result: Result<()>, until: Instant, left: Left) -> Result<(End, Left)> {
    let mut inside = session.lock().await;
    let refused = inside.refused.take();
    let result = result.and_then(|()| refused.map_or(Ok(()), Err));
    let (failure, error) = match (result, inside.failure.take()) {
        (Ok(()), None) => match commit(db, &mut inside.session, until).await {
            Ok(()) => return Ok((End::Committed, left)),
            Err(failure) => (failure.clone(), Error::from(failure)),
        },
        // The callback did not return the error; the server has aborted all the same.
        (Ok(()), Some(failure)) => (failure.clone(), Error::from(failure)),
        (Err(error), Some(failure)) => (failure, error),
        (Err(error), None) => {
            abort(db, &mut inside.session).await;
            return Err(error);
        }
    };
    abort(db, &mut inside.session).await;
    let is_conflict = code::server_code(&failure).is_some_and(|code| code::CONFLICTS.contains(&code));
    if InTransaction::may_retry(&failure) && Instant::now() < until {
        match left.less(is_conflict) {
            Some(left) => return Ok((End::Again, left)),
            None if is_conflict => return Err(Error::WriteConflict),
            None => {}
        }
    }
    Err(if code::is_standalone(&failure) { Error::NotReplicaSet } else { error })
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
async fn abort(db: &Database, session: &mut ClientSession) {
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

impl Sealed for Transaction {}

impl Executor for Transaction {
    fn context(&self) -> Result<Context> {
        Ok(self.context.clone())
    }
}

impl fmt::Debug for Transaction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.context.fmt(formatter)
    }
}
