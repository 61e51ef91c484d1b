//! What the server refuses to write is counted, and does not end the rest.

use crate::{
    error::{Error, Result},
    executor::Context,
};

/// What the server refused.
#[derive(Default)]
pub(super) struct Refused {
    /// How often.
    pub(super) count: u64,
    /// Why, the first time.
    pub(super) error: Option<Error>,
}

impl Refused {
    /// What was done, if the server did not refuse it. In a transaction a refusal is its end.
    pub(super) fn unless<T>(&mut self, context: &Context, done: Result<T>) -> Result<Option<T>> {
        match done {
            Err(error) if error.is_refusal() && !context.in_transaction() => {
                self.count += 1;
                self.error.get_or_insert(error);
                Ok(None)
            }
            done => done.map(Some),
        }
    }
}
