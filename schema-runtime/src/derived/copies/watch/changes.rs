//! A change stream over the sources, in batches. The stream is read by hand, so that each batch comes with a token for
//! the whole batch.

use mongodb::bson::{Bson, Document, doc};

use super::{
    event::{Event, pipeline},
    token::Since,
};
use crate::{
    derived::copies::stored::path::CopyPath,
    error::{Error, Result, code},
    executor::{Context, Replies},
    limits::WATCHED_EVENTS,
    read,
};

pub(super) struct Changes(Replies);

/// Some events; an empty batch after a second without changes.
pub(super) struct Batch {
    pub(super) events: Vec<Event>,
    /// The token of all changes up to the end of the batch.
    pub(super) token: Option<Document>,
}

impl Changes {
    pub(super) async fn since(context: &Context, paths: &[CopyPath], since: &Since) -> Result<Self> {
        let from = match since {
            Since::Time(time) => doc! { "startAtOperationTime": time },
            Since::Token(token) => doc! { "resumeAfter": token },
        };
        let mut stages = vec![doc! { "$changeStream": from }];
        stages.extend(pipeline(paths));
        match context.aggregate(None, stages, WATCHED_EVENTS).await {
            Err(Error::Driver(error)) if code::has_no_change_streams(&error) => Err(Error::NotReplicaSet),
            replies => Ok(Changes(replies?)),
        }
    }

    /// Returns the next batch; `None` after the last, for example when the database was dropped.
    pub(super) async fn next(&mut self) -> Result<Option<Batch>> {
        let Some(batch) = self.0.next().await else { return Ok(None) };
        let batch = batch?;
        let events = read::documents_in(&batch)?.map(|event| read::parse("$changeStream", event?));
        let events = events.collect::<Result<_>>()?;
        let cursor = batch.as_raw_document().get_document("cursor").ok();
        let token = cursor.and_then(|cursor| cursor.get_document("postBatchResumeToken").ok());
        let token = token.and_then(|token| Document::try_from(token).ok());
        Ok(Some(Batch { events, token }))
    }
}

/// Returns whether the server no longer has the changes since the start, or the token belongs to a different stream.
pub(super) fn is_lost(error: &Error) -> bool {
    matches!(error, Error::Driver(error) if code::command_code(error).is_some_and(|code| code::LOST_CHANGES.contains(&code)))
}

impl Since {
    /// Returns the stored form.
    pub(super) fn to_document(&self) -> Document {
        match self {
            Since::Time(time) => doc! { "time": time },
            Since::Token(token) => doc! { "token": token },
        }
    }

    /// Reads the stored form; `None` for any different document.
    pub(super) fn of(document: &Document) -> Option<Self> {
        match (document.get("token"), document.get("time")) {
            (Some(Bson::Document(token)), _) => Some(Since::Token(token.clone())),
            (None, Some(Bson::Timestamp(time))) => Some(Since::Time(*time)),
            _ => None,
        }
    }
}
