//! The replies of the server to one read, each with many raw documents.

use futures_util::StreamExt;
use mongodb::raw_batch_cursor::{RawBatch, RawBatchCursor, SessionRawBatchCursor};

use super::{Session, context::on_a_task};
use crate::error::Result;

/// A read under way.
pub(crate) struct Replies(Kind);

enum Kind {
    Plain(Box<RawBatchCursor>),
    /// `None` while a reply is awaited, and after a caller was dropped meanwhile.
    InSession(Option<Box<SessionRawBatchCursor>>, Session),
}

impl Replies {
    pub(super) fn plain(batches: RawBatchCursor) -> Self {
        Replies(Kind::Plain(Box::new(batches)))
    }

    pub(super) fn in_session(batches: SessionRawBatchCursor, session: Session) -> Self {
        Replies(Kind::InSession(Some(Box::new(batches)), session))
    }

    /// The next reply; `None` after the last.
    pub(crate) async fn next(&mut self) -> Option<Result<RawBatch>> {
        match &mut self.0 {
            Kind::Plain(batches) => Some(batches.next().await?.map_err(Into::into)),
            Kind::InSession(held, session) => {
                let (mut batches, session) = (held.take()?, session.clone());
                let command = async move {
                    let mut inside = session.lock().await;
                    let reply = batches.stream(&mut inside.session).next().await.transpose();
                    let reply = inside.noted(reply)?;
                    drop(inside);
                    Ok((reply, batches))
                };
                match on_a_task(command).await {
                    Ok((reply, batches)) => {
                        *held = Some(batches);
                        reply.map(Ok)
                    }
                    Err(error) => Some(Err(error.into())),
                }
            }
        }
    }
}
