//! A stream of documents that holds at most one batch of documents.

use std::{
    fmt,
    marker::PhantomData,
    pin::Pin,
    task::{self, Poll, ready},
};

use futures_util::{Stream, StreamExt};
use mongodb::bson::RawDocumentBuf;
use serde::de::DeserializeOwned;

use super::{RawDocuments, decode};
use crate::{error::Result, field::Record};

/// A [`Stream`](futures_util::Stream) of documents as the documents arrive. A document that does not fit is an error,
/// and the rest follows; after an error of the server or the network the stream ends.
///
/// The stream holds one reply of the server at a time; a document is decoded when the document is asked for.
pub struct Documents<T> {
    collection: &'static str,
    documents: RawDocuments,
    item: PhantomData<fn() -> T>,
}

impl<T> Documents<T> {
    pub(crate) fn new(collection: &'static str, documents: RawDocuments) -> Self {
        Documents { collection, documents, item: PhantomData }
    }
}

impl<T: Record + DeserializeOwned> Documents<T> {
    /// Returns the next document; `None` after the last document.
    pub async fn next(&mut self) -> Option<Result<T>> {
        let document = self.documents.next().await;
        document.map(|document| self.decoded(document))
    }

    fn decoded(&self, document: Result<RawDocumentBuf>) -> Result<T> {
        decode(self.collection, &document?)
    }
}

impl<T: Record + DeserializeOwned> Stream for Documents<T> {
    type Item = Result<T>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut task::Context<'_>) -> Poll<Option<Result<T>>> {
        let document = ready!(self.documents.poll_next_unpin(context));
        Poll::Ready(document.map(|document| self.decoded(document)))
    }
}

impl<T> fmt::Debug for Documents<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Documents of `{}`", self.collection)
    }
}
