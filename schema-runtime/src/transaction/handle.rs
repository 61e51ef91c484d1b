//! The handle of a running transaction.

use std::{fmt, sync::Arc};

use futures_util::future::BoxFuture;
use mongodb::{ClientSession, Database, error::Error as DriverError};

use super::callbacks::{Callbacks, Outcome};
use crate::{
    error::Result,
    executor::{Context, Executor, Sealed},
};

/// A running transaction: an owned, cheap handle. Every operation takes the handle in the place of the database.
#[derive(Clone)]
pub struct Transaction {
    pub(crate) context: Context,
    callbacks: Arc<Callbacks>,
}

impl Transaction {
    pub(super) fn new(context: Context, callbacks: Arc<Callbacks>) -> Self {
        Transaction { context, callbacks }
    }

    /// Returns a handle for operations of this crate inside a running transaction.
    pub(crate) fn of(context: Context) -> Self {
        Transaction { context, callbacks: Arc::default() }
    }

    /// Runs `callback` once after the commit, when a majority of the members has acknowledged the commit: the place to
    /// send an e-mail or to clear a cache.
    ///
    /// ```
    /// use schema_runtime::{prelude::*, transaction};
    ///
    /// # #[derive(Model, Serialize, Deserialize)]
    /// # #[model(collection = "orders")]
    /// # struct Order { #[serde(rename = "_id")] id: i64 }
    /// # async fn send_mail(_: i64) {}
    /// async fn place(db: &Database, order: &Order) -> Result<()> {
    ///     transaction(db, |tx| async move {
    ///         Order::insert(&tx, order).await?;
    ///         let id = order.id;
    ///         tx.after_commit(move || send_mail(id));
    ///         Ok(())
    ///     })
    ///     .await
    /// }
    /// ```
    ///
    /// The transaction returns after its callbacks. The callbacks run one after another, in the order of the calls,
    /// outside of the transaction, and also when the caller is dropped. An attempt that runs again forgets the
    /// callbacks of the attempt, and registers anew. A panic of a callback is an event of `tracing`, and changes
    /// neither the outcome nor the later callbacks. After a commit with an unknown outcome no callback runs. When the
    /// process ends in between, no callback runs either: see [the page `transactions`](crate::guide).
    pub fn after_commit<F, Fut>(&self, callback: F)
    where
        F: FnOnce() -> Fut + Send + 'static,
        Fut: Future<Output = ()> + Send + 'static,
    {
        self.callbacks.add(Outcome::Commit, Box::pin(async move { callback().await }));
    }

    /// Runs `callback` once after the transaction has ended without a commit: after an error or a panic of the callback
    /// of the transaction, after the last attempt, and after the caller was dropped.
    ///
    /// ```
    /// use schema_runtime::{prelude::*, transaction};
    ///
    /// # #[derive(Model, Serialize, Deserialize)]
    /// # #[model(collection = "orders")]
    /// # struct Order { #[serde(rename = "_id")] id: i64 }
    /// async fn place(db: &Database, order: &Order) -> Result<()> {
    ///     transaction(db, |tx| async move {
    ///         tx.after_rollback(|| async { eprintln!("the order is not stored") });
    ///         Order::insert(&tx, order).await
    ///     })
    ///     .await
    /// }
    /// ```
    ///
    /// An attempt that runs again is no outcome: the callbacks of the attempt are forgotten. Order, panics and the end
    /// of the process are as in [`after_commit`](Transaction::after_commit).
    pub fn after_rollback<F, Fut>(&self, callback: F)
    where
        F: FnOnce() -> Fut + Send + 'static,
        Fut: Future<Output = ()> + Send + 'static,
    {
        self.callbacks.add(Outcome::Rollback, Box::pin(async move { callback().await }));
    }

    /// Runs actions of the driver inside the transaction: pass the session to each action. `operation` and `collection`
    /// are the names in the span, as `aggregate` and `orders`.
    ///
    /// ```
    /// use schema_runtime::{bson::Document, prelude::*, transaction};
    ///
    /// async fn archive(db: &Database) -> Result<u64> {
    ///     transaction(db, |tx| async move {
    ///         tx.run("insert", Some("archive"), |db, session| {
    ///             Box::pin(async move {
    ///                 let archive = db.collection::<Document>("archive");
    ///                 archive.insert_one(doc! { "year": 2025 }).session(&mut *session).await?;
    ///                 archive.count_documents(doc! {}).session(&mut *session).await
    ///             })
    ///         })
    ///         .await
    ///     })
    ///     .await
    /// }
    /// ```
    ///
    /// Return each error of an action: the server has aborted the transaction, and the error decides about another
    /// attempt. The actions run to the end when the caller is dropped; further operations of the transaction wait. Do
    /// not commit or abort with the session: the transaction does. This crate adds nothing to these actions: no check
    /// of values, no copy, no count.
    ///
    /// # Errors
    /// The error of `work`.
    pub async fn run<T, F>(&self, operation: &'static str, collection: Option<&'static str>, work: F) -> Result<T>
    where
        F: for<'s> FnOnce(&'s Database, &'s mut ClientSession) -> BoxFuture<'s, Result<T, DriverError>>,
        F: Send + 'static,
        T: Send + 'static,
    {
        self.context.run_in_session(operation, collection, work).await
    }
}

impl Sealed for Transaction {}

impl Executor for Transaction {
    fn plain_context(&self) -> Result<Context> {
        Ok(self.context.clone())
    }
}

impl fmt::Debug for Transaction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.context.fmt(formatter)
    }
}
