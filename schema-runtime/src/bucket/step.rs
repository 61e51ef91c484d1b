//! What the transactions of both migrations share: how many children one moves, and which child one was refused for. Pure.

use mongodb::bson::Bson;

use crate::{
    derived::throttle::Throttle,
    error::{BucketError, Error, Result},
    limits::{BUCKET_STEP_BYTES, TRANSACTION_DOCUMENTS},
};

/// How many children the next transaction moves.
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

    /// Whether so many bytes are as many as one transaction should move.
    pub(super) fn is_enough(bytes: usize) -> bool {
        bytes >= BUCKET_STEP_BYTES
    }

    /// After one that was done.
    pub(super) fn greater(&mut self) {
        self.now = (2 * self.now).min(self.most);
    }

    /// After one of several children that was refused: which of them it was is found by fewer at a time.
    ///
    /// # Errors
    /// Any other one.
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

/// With the name of the child, where the error is of one.
pub(super) fn not_moved(collection: &'static str, id: Option<Bson>, error: Error) -> Error {
    match id {
        Some(id) if is_of_a_child(&error) => {
            Error::Bucket(BucketError::NotMoved { collection, id: Box::new(id), source: Box::new(error) })
        }
        _ => error,
    }
}
