//! Documents one after another, without ever holding more than a batch of them.

use std::{
    fmt,
    marker::PhantomData,
    pin::Pin,
    task::{Context, Poll, ready},
};

use futures_util::{Stream, StreamExt};
use mongodb::{Cursor, bson::RawDocumentBuf};
use serde::de::DeserializeOwned;

use crate::{error::Result, read};

/// Documents as they arrive: a [`Stream`](futures_util::Stream). A document that does not fit is an error, and the rest
/// follows; after an error of the server or the network the stream ends.
///
/// One reply of the server is held at a time; each document is decoded when it is asked for, so that one is in memory as `T`.
pub struct Documents<T> {
    collection: &'static str,
    cursor: Option<Cursor<RawDocumentBuf>>,
    item: PhantomData<fn() -> T>,
}

impl<T: DeserializeOwned> Documents<T> {
    pub(crate) fn new(collection: &'static str, cursor: Cursor<RawDocumentBuf>) -> Self {
        Documents { collection, cursor: Some(cursor), item: PhantomData }
    }

    /// The next document; `None` after the last.
    pub async fn next(&mut self) -> Option<Result<T>> {
        StreamExt::next(self).await
    }
}

impl<T> Unpin for Documents<T> {}

impl<T: DeserializeOwned> Stream for Documents<T> {
    type Item = Result<T>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<T>>> {
        let Some(cursor) = &mut self.cursor else { return Poll::Ready(None) };
        Poll::Ready(match ready!(cursor.poll_next_unpin(context)) {
            Some(Ok(document)) => Some(read::decode(self.collection, &document)),
            Some(Err(error)) => {
                self.cursor = None;
                Some(Err(error.into()))
            }
            None => {
                self.cursor = None;
                None
            }
        })
    }
}

impl<T> fmt::Debug for Documents<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Documents of `{}`", self.collection)
    }
}
