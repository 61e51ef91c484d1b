//! The common parts of the transactions of both migrations: the number of children per transaction, and the refused
//! child. Pure.

use mongodb::bson::Bson;

use crate::{
    derived::throttle::Throttle,
    error::{BucketError, Error, Result},
    limits::{BUCKET_STEP_BYTES, TRANSACTION_DOCUMENTS},
};

/// The number of children for the next transaction.
pub(super) struct Size {
    most: usize,
    now: usize,
}

impl Size {
    pub(super) fn new(throttle: &Throttle) -> Self {
        let most = throttle.most().min(TRANSACTION_DOCUMENTS);
        Size { most, now: most }
    }

    pub(super) fn now(&self) -> usize {
        self.now
    }

    /// Returns whether the number of bytes is enough for a transaction.
    pub(super) fn is_enough(bytes: usize) -> bool {
        bytes >= BUCKET_STEP_BYTES
    }

    /// Doubles the number after a successful transaction, up to the maximum.
    pub(super) fn greater(&mut self) {
        self.now = (2 * self.now).min(self.most);
    }

    /// Halves the number after a refused transaction of several children: smaller transactions find the refused child.
    ///
    /// # Errors
    /// Any error without a refused child, and any error of a transaction of a single child.
    pub(super) fn smaller(&mut self, error: Error) -> Result<()> {
        if self.now == 1 || !is_of_a_child(&error) {
            return Err(error);
        }
        self.now = self.now.div_ceil(2);
        Ok(())
    }
}

fn is_of_a_child(error: &Error) -> bool {
    error.is_refusal() || matches!(error, Error::Encode { .. })
}

/// Adds the `_id` of the child to an error of a single child.
pub(super) fn not_moved(collection: &'static str, id: Option<Bson>, error: Error) -> Error {
    match id {
        Some(id) if is_of_a_child(&error) => {
            Error::Bucket(BucketError::NotMoved { collection, id: Box::new(id), source: Box::new(error) })
        }
        _ => error,
    }
}
