//! The replies of the server to one read, each with many raw documents.

use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use mongodb::{
    Database,
    error::Error as DriverError,
    raw_batch_cursor::{RawBatch, RawBatchCursor, SessionRawBatchCursor},
};

use super::{
    InTransaction, Session,
    options::Overdue,
    session::{lock, on_a_task},
    span::CommandSpan,
};
use crate::error::Result;

/// A read under way.
pub(crate) struct Replies {
    /// `None` when no reply follows, during the wait for a reply, and after a caller was dropped during the wait.
    cursor: Option<Cursor>,
    /// The reply that came with the cursor.
    first: Option<RawBatch>,
    database: Database,
    collection: Option<&'static str>,
    overdue: Overdue,
}

pub(super) enum Cursor {
    Plain(Box<RawBatchCursor>),
    InSession(Box<SessionRawBatchCursor>, Session),
}

impl Replies {
    pub(super) fn new(
        (cursor, first): (Cursor, Option<RawBatch>),
        database: &Database,
        collection: Option<&'static str>,
        overdue: Overdue,
    ) -> Self {
        let cursor = first.as_ref().is_some_and(more_follow).then_some(cursor);
        Replies { cursor, first, database: database.clone(), collection, overdue }
    }

    /// Returns the same replies without the deadline of the operation: the caller of a stream takes any time between
    /// two replies.
    pub(crate) fn of_stream(self) -> Self {
        Replies { overdue: Overdue::default(), ..self }
    }

    /// Returns the next reply; `None` after the last reply.
    pub(crate) fn next<'a>(&'a mut self) -> BoxFuture<'a, Option<Result<RawBatch>>> {
        Box::pin(async move {
            if let Some(first) = self.first.take() {
                return Some(Ok(first));
            }
            let cursor = self.cursor.take()?;
            if let Err(error) = self.overdue.left() {
                return Some(Err(error.into()));
            }
            let span = CommandSpan::new(&self.database, "getMore", self.collection);
            match self.overdue.wait(span.run(cursor.next())).await {
                Ok((cursor, reply)) => {
                    self.cursor = reply.as_ref().is_some_and(more_follow).then_some(cursor);
                    reply.map(Ok)
                }
                Err(error) => Some(Err(error.into())),
            }
        })
    }
}

impl Cursor {
    /// Makes the cursor, with the first reply, which the driver has already.
    pub(super) async fn plain(batches: RawBatchCursor) -> Result<(Self, Option<RawBatch>), DriverError> {
        Cursor::Plain(Box::new(batches)).next().await
    }

    /// Makes a cursor in the locked session, with the first reply.
    pub(super) async fn in_session(
        batches: Result<SessionRawBatchCursor, DriverError>,
        inside: &mut InTransaction,
    ) -> Result<(Box<SessionRawBatchCursor>, Option<RawBatch>), DriverError> {
        let batches = Box::new(inside.noted(batches)?);
        Cursor::more_in_session(batches, inside).await
    }

    async fn next(self) -> Result<(Self, Option<RawBatch>), DriverError> {
        match self {
            Cursor::Plain(mut batches) => {
                let reply = batches.next().await.transpose()?;
                Ok((Cursor::Plain(batches), reply))
            }
            Cursor::InSession(batches, session) => {
                let shared = session.clone();
                let command = async move {
                    let mut inside = lock(&shared).await?;
                    Cursor::more_in_session(batches, &mut inside).await
                };
                let (batches, reply) = on_a_task(command).await?;
                Ok((Cursor::InSession(batches, session), reply))
            }
        }
    }

    async fn more_in_session(
        mut batches: Box<SessionRawBatchCursor>,
        inside: &mut InTransaction,
    ) -> Result<(Box<SessionRawBatchCursor>, Option<RawBatch>), DriverError> {
        let reply = batches.stream(&mut inside.session).next().await.transpose();
        Ok((batches, inside.noted(reply)?))
    }
}

/// Returns whether the server holds the cursor open: the server gives a closed cursor the number 0.
fn more_follow(reply: &RawBatch) -> bool {
    let cursor = reply.as_raw_document().get_document("cursor");
    !matches!(cursor.and_then(|cursor| cursor.get_i64("id")), Ok(0))
}
