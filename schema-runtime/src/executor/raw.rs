//! Actions of the driver in the session of a transaction.

use futures_util::future::BoxFuture;
use mongodb::{ClientSession, Database, error::Error as DriverError};
use tracing::Span;

use super::{
    Context,
    session::{self, on_a_task},
    span::{CommandSpan, Counted},
    unsent::refuse_action,
};
use crate::error::{Error, Result};

/// A value of the caller, without counts of documents.
struct Uncounted<T>(T);

impl<T> Counted for Uncounted<T> {
    fn record(&self, _: &Span) {}
}

impl Context {
    /// Runs the caller's actions of the driver in the locked session, in a span with the given names. The actions run
    /// to the end even when the caller is dropped, and the session keeps the error.
    pub(crate) async fn run_in_session<T, F>(
        &self,
        operation: &'static str,
        collection: Option<&'static str>,
        work: F,
    ) -> Result<T>
    where
        F: for<'s> FnOnce(&'s Database, &'s mut ClientSession) -> BoxFuture<'s, Result<T, DriverError>>,
        F: Send + 'static,
        T: Send + 'static,
    {
        let Some(session) = self.session.clone() else { return Err(Error::OutsideTransaction) };
        let database = self.database.clone();
        let command = async move {
            let mut inside = session::lock(&session).await?;
            let attempt = inside.attempt;
            // An operation of this crate with the plain database is refused here, as in the callback.
            let result = session::inside(attempt, work(&database, &mut inside.session)).await;
            inside.noted(result).map(Uncounted)
        };
        refuse_action(operation)?;
        let span = CommandSpan::new(&self.database, operation, collection);
        Ok(span.run(on_a_task(command)).await?.0)
    }
}
