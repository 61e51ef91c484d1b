//! The attempts of a transaction: each attempt begins, and ends by the result of the callback.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::future::BoxFuture;
use mongodb::{
    Database,
    options::{ReadConcern, ReadPreference, SelectionCriteria, WriteConcern},
};
use tokio::{runtime::Handle, sync::Mutex};

use super::end::{End, Left, abort, end};
use crate::{
    error::Result,
    executor::{self, CommandSpan, InTransaction, Open, Session, run_to_end, session},
    limits::TRANSACTION_TIME,
};

/// One transaction with all attempts. The steps return boxed futures, so that rustc compiles the steps in this crate
/// and not again for each callback.
pub(super) struct Attempts<'a> {
    db: &'a Database,
    until: Instant,
    pub(super) span: CommandSpan,
    pub(super) count: u64,
    left: Left,
}

/// A transaction that has begun. Plain writes beside the transaction wait in turn.
pub(super) struct Begun {
    db: Database,
    pub(super) session: Session,
    /// The entry in the gate; `None` when the transaction has ended, and where the client has no gate.
    open: Option<Open>,
}

impl Drop for Begun {
    /// Aborts the transaction of a dropped caller: the abort has a connection as well.
    fn drop(&mut self) {
        let (Some(open), Ok(runtime)) = (self.open.take(), Handle::try_current()) else { return };
        let (db, session) = (self.db.clone(), self.session.clone());
        let abort: BoxFuture<'static, ()> = Box::pin(async move {
            let aborted = async { abort(&db, &mut session.lock().await.session).await };
            // After this time the server has ended the transaction.
            let _ = tokio::time::timeout(TRANSACTION_TIME, aborted).await;
            drop(open);
        });
        runtime.spawn(abort);
    }
}

impl<'a> Attempts<'a> {
    pub(super) fn new(db: &'a Database, retry_for: Duration) -> Result<Self> {
        session::refuse_inside()?;
        let (until, span) = (Instant::now() + retry_for, CommandSpan::of_transaction(db));
        Ok(Attempts { db, until, span, count: 0, left: Left::default() })
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
            let begin = session.start_transaction().read_concern(ReadConcern::snapshot());
            // The transaction reads from the primary, independent of the client's read preference.
            let primary = SelectionCriteria::ReadPreference(ReadPreference::Primary);
            begin.selection_criteria(primary).write_concern(WriteConcern::majority()).await?;
            let session =
                InTransaction { session, failure: None, refused: None, attempt: self.count, after_commit: Vec::new() };
            let session = Arc::new(Mutex::new(session));
            Ok(Begun { db: self.db.clone(), session, open })
        })
    }

    /// Commits or aborts the work of the callback; `is_ok` when the callback returned no error. After a commit, does
    /// the work that follows the commit.
    pub(super) fn end(&mut self, mut begun: Begun, is_ok: bool) -> BoxFuture<'_, Result<End>> {
        let (db, until, left) = (self.db.clone(), self.until, self.left);
        let ends: BoxFuture<'static, Result<(End, Left)>> = Box::pin(async move {
            let ended = end(&db, &begun.session, is_ok, until, left).await;
            drop(begun.open.take());
            let ended = ended?;
            if let (End::Committed, _) = ended {
                let then = std::mem::take(&mut begun.session.lock().await.after_commit);
                let mut followed = Ok(());
                for then in then {
                    followed = followed.and(then.await);
                }
                followed?;
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
