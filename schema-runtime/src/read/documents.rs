//! Documents one after another, without ever holding more than a batch of them.

use std::{
    fmt,
    pin::Pin,
    task::{self, Poll},
};

use futures_util::{
    Stream, StreamExt, TryStreamExt,
    stream::{self, BoxStream},
};
use mongodb::{
    bson::{RawDocument, RawDocumentBuf},
    raw_batch_cursor::RawBatch,
};
use serde::de::DeserializeOwned;

use crate::{error::Result, executor::Replies, read};

/// Documents as they arrive: a [`Stream`](futures_util::Stream). A document that does not fit is an error, and the rest
/// follows; after an error of the server or the network the stream ends.
///
/// One reply of the server is held at a time; a document is decoded when it is asked for.
pub struct Documents<T> {
    collection: &'static str,
    documents: BoxStream<'static, Result<T>>,
}

impl<T: DeserializeOwned + Send + 'static> Documents<T> {
    pub(crate) fn new(collection: &'static str, replies: Replies) -> Self {
        let replies = stream::unfold(Some(replies), async |replies| {
            let mut replies = replies?;
            let documents = replies.next().await?.and_then(|batch| raw_documents(&batch));
            let rest = documents.is_ok().then_some(replies);
            Some((documents, rest))
        });
        let documents = replies.map_ok(|documents| stream::iter(documents).map(Ok)).try_flatten();
        let documents = documents.map(move |document: Result<RawDocumentBuf>| read::decode(collection, &document?));
        Documents { collection, documents: documents.fuse().boxed() }
    }
}

impl<T> Documents<T> {
    /// The next document; `None` after the last.
    pub async fn next(&mut self) -> Option<Result<T>> {
        self.documents.next().await
    }
}

fn raw_documents(batch: &RawBatch) -> Result<Vec<RawDocumentBuf>> {
    read::documents_in(batch)?.map(|document| document.map(RawDocument::to_owned)).collect()
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
