//! What a write of a transaction leaves to be done: after the commit, and in the documents.

use futures_util::future::BoxFuture;

use super::Context;
use crate::error::{Error, Result};

impl Context {
    /// Does what follows a write, with a majority: now; or of a transaction once it is committed, beside it, and never when it
    /// is not.
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

    /// How often the transaction was begun, from 1 on; 0 outside of a transaction.
    pub(crate) async fn attempt(&self) -> u64 {
        match &self.session {
            None => 0,
            Some(session) => session.lock().await.attempt,
        }
    }

    /// What belongs to a write was refused: the write is not without it, whatever the callback makes of the error.
    pub(crate) async fn refuse_commit(&self, error: &Error) {
        if let Some(session) = &self.session {
            session.lock().await.refused.get_or_insert_with(|| error.clone());
        }
    }
}
