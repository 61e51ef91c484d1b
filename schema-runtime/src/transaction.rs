//! Several operations that happen all or not at all. Reaches the server.

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

/// A running transaction: an owned, cheap handle that every operation takes in the place of the database.
#[derive(Clone)]
pub struct Transaction {
    pub(crate) context: Context,
}

/// Runs `body` in a transaction: all of its operations happen, or none.
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
/// Reads see the data of one moment (read concern `snapshot`); the commit waits for a majority of the members. When another
/// write comes between, the server aborts the transaction and `body` runs again, so it should do nothing that cannot be done
/// twice. This goes on for at most 120 seconds. A server that aborted the transaction has aborted it whatever `body` makes of
/// the error: one that it keeps to itself is the error of the transaction. So is one of what belongs to a write, as a
/// [`DanglingReference`](Error::DanglingReference) of the other end of a link.
///
/// # Errors
/// Those of `body`. [`Error::OutsideTransaction`] when it uses the plain database instead of its handle, or begins another
/// transaction. [`Error::NotReplicaSet`] on a standalone server, which has no transactions.
pub async fn transaction<T, F, Fut>(database: &Database, body: F) -> Result<T>
where
    F: FnMut(Transaction) -> Fut,
    Fut: Future<Output = Result<T>>,
{
    transaction_within(database, TRANSACTION_TIME, body).await
}

/// A transaction of one write. After a lost connection the write ends sooner than a transaction of the user.
pub(crate) async fn write_transaction<T, F, Fut>(database: &Database, body: F) -> Result<T>
where
    F: FnMut(Transaction) -> Fut,
    Fut: Future<Output = Result<T>>,
{
    let left = Left { failures: Some(TRANSACTION_FAILURES), conflicts: None };
    run(database, Attempts { left, ..Attempts::new(database, TRANSACTION_TIME)? }, body).await
}

/// The same, which ends after a few conflicts with [`Error::WriteConflict`], since other writes wait for the transaction.
pub(crate) async fn brief_transaction<T, F, Fut>(database: &Database, body: F) -> Result<T>
where
    F: FnMut(Transaction) -> Fut,
    Fut: Future<Output = Result<T>>,
{
    let left = Left { failures: Some(TRANSACTION_FAILURES), conflicts: Some(TRANSACTION_CONFLICTS) };
    run(database, Attempts { left, ..Attempts::new(database, TRANSACTION_TIME)? }, body).await
}

/// As [`transaction`], tried again for at most this long.
///
/// # Errors
/// As [`transaction`].
pub async fn transaction_within<T, F, Fut>(database: &Database, retry_for: Duration, body: F) -> Result<T>
where
    F: FnMut(Transaction) -> Fut,
    Fut: Future<Output = Result<T>>,
{
    run(database, Attempts::new(database, retry_for)?, body).await
}

async fn run<T, F, Fut>(database: &Database, mut attempts: Attempts<'_>, mut body: F) -> Result<T>
where
    F: FnMut(Transaction) -> Fut,
    Fut: Future<Output = Result<T>>,
{
    let mut pauses = executor::Attempts::default();
    loop {
        let begun = attempts.begin().await?;
        let handle = Transaction { context: Context::in_session(database, begun.session.clone()) };
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

/// One transaction, however often it is tried. Its steps give boxed futures, so that they are compiled in this crate and not
/// again for each callback.
struct Attempts<'a> {
    database: &'a Database,
    until: Instant,
    span: CommandSpan,
    count: u64,
    left: Left,
}

/// How many more failures of a transaction are tried again; `None` for all until the time is over.
#[derive(Clone, Copy, Default)]
struct Left {
    /// Failures that are no conflicts.
    failures: Option<u32>,
    conflicts: Option<u32>,
}

impl Left {
    /// The same after one more failure; `None` where the failure is the last.
    fn less(mut self, is_conflict: bool) -> Option<Self> {
        let left = if is_conflict { &mut self.conflicts } else { &mut self.failures };
        if let Some(left) = left {
            *left = left.checked_sub(1)?;
        }
        Some(self)
    }
}

/// A transaction that has begun, beside which plain writes wait for their turn.
struct Begun {
    database: Database,
    session: Session,
    /// `None` when the transaction has ended, and where the client has no gate.
    open: Option<Open>,
}

impl Drop for Begun {
    /// Of a caller that is dropped: the abort has a connection as well.
    fn drop(&mut self) {
        let (Some(open), Ok(runtime)) = (self.open.take(), Handle::try_current()) else { return };
        let (database, session) = (self.database.clone(), self.session.clone());
        let abort: BoxFuture<'static, ()> = Box::pin(async move {
            let aborted = async { abort(&database, &mut session.lock().await.session).await };
            // Later the server has ended it.
            let _ = tokio::time::timeout(TRANSACTION_TIME, aborted).await;
            drop(open);
        });
        runtime.spawn(abort);
    }
}

enum End {
    Committed,
    /// The whole is to be run again.
    Again,
}

impl<'a> Attempts<'a> {
    fn new(database: &'a Database, retry_for: Duration) -> Result<Self> {
        session::refuse_inside()?;
        let (until, span) = (Instant::now() + retry_for, CommandSpan::of_transaction(database));
        Ok(Attempts { database, until, span, count: 0, left: Left::default() })
    }

    fn begin(&mut self) -> BoxFuture<'_, Result<Begun>> {
        Box::pin(async {
            self.count += 1;
            self.span.attempt(self.count);
            let open = executor::open(self.database).await;
            let mut session = self.database.client().start_session().await?;
            let begin = session.start_transaction().read_concern(ReadConcern::snapshot());
            // Whatever the client prefers for its reads.
            let primary = SelectionCriteria::ReadPreference(ReadPreference::Primary);
            begin.selection_criteria(primary).write_concern(WriteConcern::majority()).await?;
            let session =
                InTransaction { session, failure: None, refused: None, attempt: self.count, after_commit: Vec::new() };
            let session = Arc::new(Mutex::new(session));
            Ok(Begun { database: self.database.clone(), session, open })
        })
    }

    /// Commits or aborts what the callback has done, which gave this result. After a commit does what follows it.
    fn end(&mut self, mut begun: Begun, result: Result<()>) -> BoxFuture<'_, Result<End>> {
        let (database, until, left) = (self.database.clone(), self.until, self.left);
        let ends: BoxFuture<'static, Result<(End, Left)>> = Box::pin(async move {
            let ended = end(&database, &begun.session, result, until, left).await;
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
            // A caller that is dropped leaves a transaction that ends, with what follows the commit.
            let (ended, left) = self.span.within(run_to_end(self.database, ends)).await?;
            self.left = left;
            Ok(ended)
        })
    }
}

/// Commits or aborts, and says whether to run the whole again.
async fn end(
    database: &Database,
    session: &Session,
    result: Result<()>,
    until: Instant,
    left: Left,
) -> Result<(End, Left)> {
    let mut inside = session.lock().await;
    let refused = inside.refused.take();
    let result = result.and_then(|()| refused.map_or(Ok(()), Err));
    let (failure, error) = match (result, inside.failure.take()) {
        (Ok(()), None) => match commit(database, &mut inside.session, until).await {
            Ok(()) => return Ok((End::Committed, left)),
            Err(failure) => (failure.clone(), Error::from(failure)),
        },
        // The callback kept the error to itself; the server has aborted all the same.
        (Ok(()), Some(failure)) => (failure.clone(), Error::from(failure)),
        (Err(error), Some(failure)) => (failure, error),
        (Err(error), None) => {
            abort(database, &mut inside.session).await;
            return Err(error);
        }
    };
    abort(database, &mut inside.session).await;
    let is_conflict = code::server_code(&failure) == Some(code::WRITE_CONFLICT);
    if InTransaction::may_retry(&failure) && Instant::now() < until {
        match left.less(is_conflict) {
            Some(left) => return Ok((End::Again, left)),
            None if is_conflict => return Err(Error::WriteConflict),
            None => {}
        }
    }
    Err(if code::is_standalone(&failure) { Error::NotReplicaSet } else { error })
}

/// Commits; an unknown outcome is asked for again, which the server answers truly.
async fn commit(database: &Database, session: &mut ClientSession, until: Instant) -> Result<(), DriverError> {
    loop {
        let span = CommandSpan::new(database, "commitTransaction", None);
        match span.run(session.commit_transaction().into_future()).await {
            Err(error)
                if error.contains_label(UNKNOWN_TRANSACTION_COMMIT_RESULT)
                    && !timed_out(&error)
                    && Instant::now() < until => {}
            other => return other,
        }
    }
}

/// An abort that fails is of a transaction that the server ends by itself.
async fn abort(database: &Database, session: &mut ClientSession) {
    let span = CommandSpan::new(database, "abortTransaction", None);
    if let Err(error) = span.run(session.abort_transaction().into_future()).await {
        let error = Error::from(error);
        tracing::debug!(%error, "the transaction was not aborted by request");
    }
}

/// `MaxTimeMSExpired`: to ask again would take as long again.
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
