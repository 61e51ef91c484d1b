//! The work that a write leaves for later: after the commit, and in the documents.

use futures_util::future::BoxFuture;

use super::Context;
use crate::error::{Error, Result};

impl Context {
    /// Does the work after a write, with write concern `majority`: now, or, in a transaction, after the commit and
    /// outside of the session. Without a commit the work never runs.
    pub(crate) fn once_written<'a>(
        &'a self,
        follow: impl FnOnce(Self) -> BoxFuture<'static, Result<()>>,
    ) -> BoxFuture<'a, Result<()>> {
        match &self.session {
            None => follow(self.majority()),
            Some(session) => {
                let followed = follow(Context::new(&self.database).majority());
                Box::pin(async move {
                    session.lock().await.after_commit.push(followed);
                    Ok(())
                })
            }
        }
    }

    /// Returns the number of times that the transaction was begun, from 1 on; 0 outside of a transaction.
    pub(crate) async fn attempt(&self) -> u64 {
        match &self.session {
            None => 0,
            Some(session) => session.lock().await.attempt,
        }
    }

    /// Refuses the commit, because work that belongs to a write was refused: the write may not be stored without the
    /// work, even if the callback ignores the error.
    pub(crate) async fn refuse_commit(&self, error: &Error) {
        if let Some(session) = &self.session {
            session.lock().await.refused.get_or_insert_with(|| error.clone());
        }
    }
}
