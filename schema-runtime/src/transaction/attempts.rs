//! The attempts of a transaction: each attempt begins, and ends by the result of the callback.

use std::{sync::Arc, time::Instant};

use futures_util::future::BoxFuture;
use mongodb::{Database, bson::Document};
use tokio::{runtime::Handle, sync::Mutex};

use super::{
    callbacks::{Callbacks, Outcome},
    end::{End, Left, abort_all, end},
    options::TransactionOptions,
};
use crate::{
    error::Result,
    executor::{self, CommandSpan, InTransaction, Open, Session, go_on, run_to_end, session},
    limits::TRANSACTION_TIME,
};

/// One transaction with all attempts. The steps return boxed futures, so that rustc compiles the steps in this crate
/// and not again for each callback.
pub(super) struct Attempts<'a> {
    db: &'a Database,
    options: TransactionOptions,
    until: Instant,
    pub(super) span: CommandSpan,
    pub(super) count: u64,
    left: Left,
}

/// A transaction that has begun. Plain writes beside the transaction wait in turn.
pub(super) struct Begun {
    db: Database,
    pub(super) session: Session,
    /// The id of the session, for the server.
    id: Document,
    pub(super) callbacks: Arc<Callbacks>,
    /// The entry in the gate; `None` where the client has no gate.
    open: Option<Open>,
    has_ended: bool,
}

impl Drop for Begun {
    /// Aborts the transaction of a dropped caller: the abort has a connection as well.
    fn drop(&mut self) {
        if self.has_ended || Handle::try_current().is_err() {
            return;
        }
        let (db, session, id) = (self.db.clone(), self.session.clone(), self.id.clone());
        let (open, callbacks) = (self.open.take(), self.callbacks.clone());
        let abort = Box::pin(async move {
            // After this time the server has ended the transaction.
            let _ = tokio::time::timeout(TRANSACTION_TIME, abort_all(&db, &id, &session)).await;
            drop(open);
            callbacks.run(Outcome::Rollback).await;
        });
        go_on(&self.db, abort);
    }
}

impl<'a> Attempts<'a> {
    pub(super) fn new(db: &'a Database, options: TransactionOptions) -> Result<Self> {
        session::refuse_inside()?;
        options.check()?;
        let (until, span) = (options.until(), CommandSpan::of_transaction(db));
        Ok(Attempts { db, options, until, span, count: 0, left: Left::default() })
    }

    /// Limits the number of further failures.
    pub(super) fn with(self, left: Left) -> Self {
        Attempts { left, ..self }
    }

    pub(super) fn begin(&mut self) -> BoxFuture<'_, Result<Begun>> {
        Box::pin(async {
            self.count += 1;
            self.span.attempt(self.count);
            let open = executor::open(self.db).await;
            let mut session = self.db.client().start_session().await?;
            self.options.start(&mut session).await?;
            let id = session.id().clone();
            let session = InTransaction::new(session, self.count);
            let session = Arc::new(Mutex::new(session));
            let callbacks = Arc::default();
            Ok(Begun { db: self.db.clone(), session, id, callbacks, open, has_ended: false })
        })
    }

    /// Commits or aborts the work of the callback; `is_ok` when the callback returned no error. After a commit, does
    /// the work that follows the commit.
    pub(super) fn end(&mut self, mut begun: Begun, is_ok: bool) -> BoxFuture<'_, Result<End>> {
        let (db, until, left) = (self.db.clone(), self.until, self.left);
        let ends: BoxFuture<'static, Result<(End, Left)>> = Box::pin(async move {
            let ended = end(&db, &begun.id, &begun.session, is_ok, until, left).await;
            begun.has_ended = true;
            drop(begun.open.take());
            match ended.0 {
                End::Committed => {
                    let then = std::mem::take(&mut begun.session.lock().await.after_commit);
                    let mut followed = Ok(());
                    for then in then {
                        followed = followed.and(then.await);
                    }
                    begun.callbacks.run(Outcome::Commit).await;
                    followed?;
                }
                End::Aborted | End::Failed(_) => begun.callbacks.run(Outcome::Rollback).await,
                End::Again | End::Unknown(_) => {}
            }
            Ok(ended)
        });
        Box::pin(async move {
            // The transaction of a dropped caller ends, with the work that follows the commit.
            let (ended, left) = self.span.within(run_to_end(self.db, ends)).await?;
            self.left = left;
            Ok(ended)
        })
    }
}
