//! Documents one after another, without ever holding more than a batch of them.

use std::{
    fmt,
    pin::Pin,
    task::{self, Poll},
};

use futures_util::{
    Stream, StreamExt,
    stream::{self, BoxStream},
};
use mongodb::raw_batch_cursor::RawBatch;
use serde::de::DeserializeOwned;

use crate::{error::Result, executor::Replies, read};

/// Documents as they arrive: a [`Stream`](futures_util::Stream). A document that does not fit is an error, and the rest
/// follows; after an error of the server or the network the stream ends.
///
/// One reply of the server is held at a time.
pub struct Documents<T> {
    collection: &'static str,
    documents: BoxStream<'static, Result<T>>,
}

impl<T: DeserializeOwned + Send + 'static> Documents<T> {
    pub(crate) fn new(collection: &'static str, replies: Replies) -> Self {
        let replies = stream::unfold(Some(replies), move |replies| async move {
            let mut replies = replies?;
            match replies.next().await?.and_then(|batch| decode(collection, &batch)) {
                Ok(documents) => Some((documents, Some(replies))),
                Err(error) => Some((vec![Err(error)], None)),
            }
        });
        Documents { collection, documents: replies.flat_map(stream::iter).boxed() }
    }
}

impl<T> Documents<T> {
    /// The next document; `None` after the last.
    pub async fn next(&mut self) -> Option<Result<T>> {
        self.documents.next().await
    }
}

fn decode<T: DeserializeOwned>(collection: &'static str, batch: &RawBatch) -> Result<Vec<Result<T>>> {
    let mut documents = Vec::new();
    for document in batch.doc_slices()? {
        let document = document.map_err(mongodb::error::Error::from)?;
        documents.extend(document.as_document().map(|document| read::decode(collection, document)));
    }
    Ok(documents)
}

impl<T> Stream for Documents<T> {
    type Item = Result<T>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut task::Context<'_>) -> Poll<Option<Result<T>>> {
        self.documents.poll_next_unpin(context)
    }
}

impl<T> fmt::Debug for Documents<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Documents of `{}`", self.collection)
    }
}
