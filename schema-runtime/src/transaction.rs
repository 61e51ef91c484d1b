//! Several operations that happen all or not at all. Reaches the server.

use std::{
    fmt,
    sync::Arc,
    time::{Duration, Instant},
};

use mongodb::{
    ClientSession, Database,
    error::{Error as DriverError, UNKNOWN_TRANSACTION_COMMIT_RESULT},
    options::{ReadConcern, WriteConcern},
};
use tokio::sync::Mutex;

use crate::{
    error::{Error, Result, code},
    executor::{CommandSpan, Context, Executor, InTransaction, Sealed, Session, session},
};

/// How long a transaction is tried again, as the drivers' specification for transactions has it.
const RETRY_FOR: Duration = Duration::from_secs(120);

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
/// the error: one that it keeps to itself is the error of the transaction.
///
/// # Errors
/// Those of `body`. [`Error::OutsideTransaction`] when it uses the plain database instead of its handle, or begins another
/// transaction. [`Error::NotReplicaSet`] on a standalone server, which has no transactions.
pub async fn transaction<T, F, Fut>(database: &Database, body: F) -> Result<T>
where
    F: FnMut(Transaction) -> Fut,
    Fut: Future<Output = Result<T>>,
{
    transaction_within(database, RETRY_FOR, body).await
}

/// As [`transaction`], tried again for at most this long.
///
/// # Errors
/// As [`transaction`].
pub async fn transaction_within<T, F, Fut>(database: &Database, retry_for: Duration, mut body: F) -> Result<T>
where
    F: FnMut(Transaction) -> Fut,
    Fut: Future<Output = Result<T>>,
{
    session::refuse_inside()?;
    let until = Instant::now() + retry_for;
    let span = CommandSpan::of_transaction(database);
    let mut attempts = 0;
    loop {
        attempts += 1;
        span.attempt(attempts);
        let mut session = database.client().start_session().await?;
        let begin = session.start_transaction();
        begin.read_concern(ReadConcern::snapshot()).write_concern(WriteConcern::majority()).await?;
        let session: Session = Arc::new(Mutex::new(InTransaction { session, failure: None, after_commit: Vec::new() }));
        let handle = Transaction { context: Context::in_session(database, session.clone()) };
        let whole = async {
            let result = session::inside(body(handle)).await;
            end(database, &session, result, until).await
        };
        match span.within(whole).await {
            End::Done(Err(error)) => return Err(error),
            End::Done(Ok(value)) => {
                let then = std::mem::take(&mut session.lock().await.after_commit);
                let mut followed = Ok(());
                for then in then {
                    followed = followed.and(then.await);
                }
                return followed.map(|()| value);
            }
            End::Again => {}
        }
    }
}

enum End<T> {
    Done(Result<T>),
    Again,
}

/// Commits or aborts, and says whether to run the whole again.
async fn end<T>(database: &Database, session: &Session, result: Result<T>, until: Instant) -> End<T> {
    let mut inside = session.lock().await;
    let result = match (result, inside.failure.take()) {
        (Ok(value), None) => match commit(database, &mut inside.session, until).await {
            Ok(()) => return End::Done(Ok(value)),
            Err(failure) => Err((failure.clone(), Error::from(failure))),
        },
        // The callback kept the error to itself; the server has aborted all the same.
        (Ok(_), Some(failure)) => Err((failure.clone(), Error::from(failure))),
        (Err(error), Some(failure)) => Err((failure, error)),
        (Err(error), None) => {
            abort(database, &mut inside.session).await;
            return End::Done(Err(error));
        }
    };
    abort(database, &mut inside.session).await;
    match result {
        Err((failure, _)) if InTransaction::may_retry(&failure) && Instant::now() < until => End::Again,
        Err((failure, _)) if code::is_standalone(&failure) => End::Done(Err(Error::NotReplicaSet)),
        Err((_, error)) => End::Done(Err(error)),
        Ok(()) => End::Again,
    }
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
