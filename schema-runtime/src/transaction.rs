//! Transactions: several operations that happen all or not at all. Reaches the server.

mod attempts;
mod callbacks;
mod end;
mod handle;
mod options;
mod own_error;

use mongodb::Database;

use attempts::Attempts;
use end::{End, Left};
pub use handle::Transaction;
pub use options::TransactionOptions;
pub use own_error::TransactionError;

use crate::{
    error::Result,
    executor::{self, Context, session},
    limits::{TRANSACTION_CONFLICTS, TRANSACTION_FAILURES},
};

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
/// also returns the error of work that belongs to a write, as a [`DanglingReference`](crate::Error::DanglingReference)
/// at the far end of a link.
///
/// # Errors of your own
/// The error type of `body` is any type with `From<Error>`. An error that `body` returns aborts the transaction, and
/// the caller gets the error unchanged:
///
/// ```
/// # use schema_runtime::{prelude::*, transaction};
/// # #[derive(Model, Serialize, Deserialize)]
/// # #[model(collection = "accounts")]
/// # struct Account { #[serde(rename = "_id")] id: i64, cents: i64 }
/// #[derive(Debug)]
/// enum Shop {
///     NotEnough,
///     Database(Error),
/// }
///
/// impl From<Error> for Shop {
///     fn from(error: Error) -> Self {
///         Shop::Database(error)
///     }
/// }
///
/// async fn withdraw(db: &Database, id: i64, cents: i64) -> Result<(), Shop> {
///     transaction(db, |tx| async move {
///         let account = Account::get_by_id(&tx, &id).await?;
///         if account.cents < cents {
///             return Err(Shop::NotEnough); // the transaction is aborted
///         }
///         Account::update_by_id(id).inc(Account::F.cents, -cents).execute(&tx).await?;
///         Ok(())
///     })
///     .await
/// }
/// ```
///
/// A conflict with another write runs `body` again, even when `body` turns the error of the conflict into an error of
/// its own: the session remembers the failure of the command.
///
/// The compiler takes the error type from the caller's own return type, as above, or from `body`. Where neither tells
/// the type, as in `transaction(..).await?` with a `body` that ends with `Ok(())`, write the type in the result:
/// `Ok::<_, Error>(())`, or give the type of the callback: `async |tx| -> Result<()> { .. }`.
///
/// # Errors
/// The errors of `body`. [`Error::OutsideTransaction`](crate::Error::OutsideTransaction) when `body` uses the plain
/// database instead of the handle, or begins another transaction. [`Error::NotReplicaSet`](crate::Error::NotReplicaSet)
/// on a standalone server, which has no transactions.
pub async fn transaction<T, E, F, Fut>(db: &Database, body: F) -> Result<T, E>
where
    F: FnMut(Transaction) -> Fut,
    Fut: Future<Output = Result<T, E>>,
    E: TransactionError,
{
    transaction_with(db, TransactionOptions::default(), body).await
}

/// Runs a transaction of one write. After a lost connection the write ends sooner than a transaction of the user. With
/// a context of few attempts, the transaction ends after a few conflicts with
/// [`Error::WriteConflict`](crate::Error::WriteConflict), since other writes wait for the transaction.
pub(crate) async fn write_transaction<T, F, Fut>(context: &Context, mut body: F) -> Result<T>
where
    F: FnMut(Transaction) -> Fut,
    Fut: Future<Output = Result<T>>,
{
    let conflicts = context.has_few_attempts().then_some(TRANSACTION_CONFLICTS);
    let (db, left) = (context.database(), Left { failures: Some(TRANSACTION_FAILURES), conflicts });
    // The commands of the transaction have the options of the write.
    let body = |transaction: Transaction| body(Transaction::of(transaction.context.for_operation_of(context)));
    run(db, Attempts::new(db, TransactionOptions::default())?.with(left), body).await
}

/// Runs one of several transactions of an operation, with the comment and the deadline of the operation.
pub(crate) async fn transaction_of<T, F, Fut>(context: &Context, mut body: F) -> Result<T>
where
    F: FnMut(Transaction) -> Fut,
    Fut: Future<Output = Result<T>>,
{
    let options = context.of_effects();
    let body = |transaction: Transaction| body(Transaction::of(transaction.context.for_operation_of(&options)));
    transaction(context.database(), body).await
}

/// Runs `body` as [`transaction`] does, with options.
///
/// ```
/// use std::time::Duration;
///
/// use schema_runtime::{TransactionOptions, prelude::*, transaction_with};
///
/// # #[derive(Model, Serialize, Deserialize)]
/// # #[model(collection = "accounts")]
/// # struct Account { #[serde(rename = "_id")] id: i64, cents: i64 }
/// async fn open(db: &Database, account: &Account) -> Result<()> {
///     let options = TransactionOptions::new().retry_for(Duration::from_secs(5));
///     transaction_with(db, options, |tx| async move { Account::insert(&tx, account).await }).await
/// }
/// ```
///
/// # Errors
/// The errors of [`transaction`]. [`Error::Concern`](crate::Error::Concern), before anything is sent, for a concern
/// that [`TransactionOptions`] does not allow.
pub async fn transaction_with<T, E, F, Fut>(db: &Database, options: TransactionOptions, body: F) -> Result<T, E>
where
    F: FnMut(Transaction) -> Fut,
    Fut: Future<Output = Result<T, E>>,
    E: TransactionError,
{
    run(db, Attempts::new(db, options)?, body).await
}

async fn run<T, E, F, Fut>(db: &Database, mut attempts: Attempts<'_>, mut body: F) -> Result<T, E>
where
    F: FnMut(Transaction) -> Fut,
    Fut: Future<Output = Result<T, E>>,
    E: TransactionError,
{
    let mut pauses = executor::Attempts::default();
    loop {
        let begun = attempts.begin().await?;
        let handle = Transaction::new(Context::in_session(db, begun.session.clone()), begun.callbacks.clone());
        let attempt = attempts.count;
        let ran = attempts.span.within(async { session::inside(attempt, body(handle)).await }).await;
        match attempts.end(begun, ran.is_ok()).await? {
            End::Committed | End::Aborted => return ran,
            End::Failed(error) | End::Unknown(error) => return Err(error.into()),
            End::Again => {}
        }
        pauses.again().await?;
    }
}
