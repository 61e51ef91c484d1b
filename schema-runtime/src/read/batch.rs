//! The documents of the server's replies.

use mongodb::{
    bson::{Bson, Document, RawDocument},
    error::Error as DriverError,
    raw_batch_cursor::RawBatch,
};

use crate::{
    error::{Error, Result},
    executor::Replies,
};

/// Returns the raw documents of a reply.
pub(crate) fn documents_in(batch: &RawBatch) -> Result<impl Iterator<Item = Result<&RawDocument>>> {
    let values = batch.doc_slices()?.into_iter();
    Ok(values.filter_map(|value| match value {
        Ok(value) => value.as_document().map(Ok),
        Err(error) => Some(Err(DriverError::from(error).into())),
    }))
}

/// Returns the parsed documents of a reply.
pub(crate) fn parsed_in(batch: &RawBatch) -> Result<Vec<Document>> {
    documents_in(batch)?.map(|document| Document::try_from(document?).map_err(Error::encode)).collect()
}

/// Returns all documents, parsed, for replies with few documents.
pub(super) async fn all(mut replies: Replies) -> Result<Vec<Document>> {
    let mut all = Vec::new();
    while let Some(batch) = replies.next().await {
        all.extend(parsed_in(&batch?)?);
    }
    Ok(all)
}

/// The `_id`s of documents, one reply at a time.
pub(crate) struct Ids(pub(super) Replies);

impl Ids {
    /// Returns the `_id`s of the next reply; `None` after the last reply.
    pub(crate) async fn next(&mut self) -> Result<Option<Vec<Bson>>> {
        let Some(batch) = self.0.next().await else { return Ok(None) };
        let mut ids = Vec::new();
        for document in documents_in(&batch?)? {
            ids.extend(id(document?));
        }
        Ok(Some(ids))
    }
}

/// Returns the `_id` of a document; every document has an `_id`.
pub(crate) fn id(document: &RawDocument) -> Option<Bson> {
    Bson::try_from(document.get("_id").ok()??).ok()
}
