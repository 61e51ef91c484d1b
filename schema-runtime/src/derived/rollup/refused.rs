//! What the server refuses to write is left out, and does not end the rest.

use crate::{
    error::{Error, Result},
    executor::Context,
};

/// What was done, if the server did not refuse it. In a transaction a refusal is its end.
pub(super) fn unless_refused<T>(context: &Context, done: Result<T>) -> Result<Option<T>> {
    match done {
        Err(error) if Error::is_refusal(&error) && !context.in_transaction() => Ok(None),
        done => done.map(Some),
    }
}
