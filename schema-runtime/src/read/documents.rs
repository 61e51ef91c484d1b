//! Documents one after another, without ever holding more than a batch of them.

use std::{
    fmt,
    pin::Pin,
    task::{Context, Poll, ready},
    vec,
};

use futures_util::{Stream, StreamExt};
use mongodb::raw_batch_cursor::{RawBatch, RawBatchCursor};

use serde::de::DeserializeOwned;

use crate::{error::Result, read};

/// Documents as they arrive: a [`Stream`](futures_util::Stream). A document that does not fit is an error, and the rest
/// follows; after an error of the server or the network the stream ends.
///
/// One reply of the server is held at a time.
pub struct Documents<T> {
    collection: &'static str,
    batches: Option<RawBatchCursor>,
    batch: vec::IntoIter<Result<T>>,
}

impl<T: DeserializeOwned> Documents<T> {
    pub(crate) fn new(collection: &'static str, batches: RawBatchCursor) -> Self {
        Documents { collection, batches: Some(batches), batch: Vec::new().into_iter() }
    }

    /// The next document; `None` after the last.
    pub async fn next(&mut self) -> Option<Result<T>> {
        StreamExt::next(self).await
    }

    fn decode(&self, batch: &RawBatch) -> Result<Vec<Result<T>>> {
        let mut documents = Vec::new();
        for document in batch.doc_slices()? {
            let document = document.map_err(mongodb::error::Error::from)?;
            documents.extend(document.as_document().map(|document| read::decode(self.collection, document)));
        }
        Ok(documents)
    }
}

impl<T> Unpin for Documents<T> {}

impl<T: DeserializeOwned> Stream for Documents<T> {
    type Item = Result<T>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<T>>> {
        loop {
            if let Some(document) = self.batch.next() {
                return Poll::Ready(Some(document));
            }
            let Some(batches) = &mut self.batches else { return Poll::Ready(None) };
            let batch = match ready!(batches.poll_next_unpin(context)) {
                Some(batch) => batch.map_err(Into::into).and_then(|batch| self.decode(&batch)),
                None => {
                    self.batches = None;
                    return Poll::Ready(None);
                }
            };
            match batch {
                Ok(batch) => self.batch = batch.into_iter(),
                Err(error) => {
                    self.batches = None;
                    return Poll::Ready(Some(Err(error)));
                }
            }
        }
    }
}

impl<T> fmt::Debug for Documents<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Documents of `{}`", self.collection)
    }
}
