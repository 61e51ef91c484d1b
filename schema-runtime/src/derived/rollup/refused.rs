//! A refusal by the server does not end the remaining work.

use crate::{
    error::{Error, Result},
    executor::Context,
};

/// Returns the outcome of a write; `None` where the server refused the write. In a transaction a refusal ends the transaction and returns
/// the error.
pub(super) fn unless_refused<T>(context: &Context, done: Result<T>) -> Result<Option<T>> {
    match done {
        Err(error) if Error::is_refusal(&error) && !context.in_transaction() => Ok(None),
        done => done.map(Some),
    }
}
