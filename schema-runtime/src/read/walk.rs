//! A walk over documents in chunks: page by page in the order of `_id`, or by one cursor. Holds one reply of the
//! server.

use mongodb::{
    bson::{Bson, Document, RawDocumentBuf},
    raw_batch_cursor::RawBatch,
};

use super::{Query, documents_in, id};
use crate::{
    error::{Error, Result},
    executor::{Context, Replies},
    limits::CHUNK_BYTES,
};

/// A walk over the documents of a query.
pub(crate) struct Walk {
    context: Context,
    query: Query,
    /// The most documents of a page; 0 for a walk by one cursor.
    page: u64,
    /// The `_id` of the last document.
    last: Option<Bson>,
    /// The number of documents of the current page so far.
    in_page: u64,
    /// The replies of the current page; `None` between two pages.
    replies: Option<Replies>,
    batch: Option<RawBatch>,
    /// The number of documents taken from the batch.
    taken: usize,
    is_done: bool,
}

impl Walk {
    /// Walks page by page in the order of `_id`. No cursor is open between two pages, so the work on a page may take
    /// any time.
    pub(crate) fn by_id(context: &Context, query: Query, page: u32) -> Self {
        Walk::new(context, query, u64::from(page.max(1)))
    }

    /// Walks by one cursor in the order of the query, for documents that an index finds. A chunk has at most as many
    /// documents as a reply.
    pub(crate) fn by_cursor(context: &Context, query: Query) -> Self {
        Walk::new(context, query, 0)
    }

    fn new(context: &Context, query: Query, page: u64) -> Self {
        let context = context.clone();
        let (replies, batch) = (None, None);
        Walk { context, query, page, last: None, in_page: 0, replies, batch, taken: 0, is_done: false }
    }

    /// Limits the chunks of a walk by pages.
    pub(crate) fn at_most(mut self, documents: u32) -> Self {
        self.page = self.page.min(u64::from(documents.max(1)));
        self
    }

    /// Returns the collection and the filter of the documents.
    pub(crate) fn counted(&self) -> (&'static str, Document) {
        (self.query.collection, self.query.filter.clone())
    }

    /// Returns the next documents, parsed; `None` after the last.
    pub(crate) async fn next(&mut self) -> Result<Option<Vec<Document>>> {
        let Some(chunk) = self.next_raw().await? else { return Ok(None) };
        let parsed = chunk.iter().map(|document| Document::try_from(&**document).map_err(Error::encode));
        parsed.collect::<Result<_>>().map(Some)
    }

    /// Returns the `_id`s of the next documents; `None` after the last.
    pub(crate) async fn next_ids(&mut self) -> Result<Option<Vec<Bson>>> {
        Ok(self.next_raw().await?.map(|chunk| chunk.iter().filter_map(|document| id(document)).collect()))
    }

    /// Returns the next documents; `None` after the last.
    pub(crate) async fn next_raw(&mut self) -> Result<Option<Vec<RawDocumentBuf>>> {
        loop {
            if let Some(batch) = &self.batch {
                let chunk = chunk_of(batch, self.taken)?;
                match chunk.last() {
                    Some(last) if self.page > 0 => self.last = id(last),
                    Some(_) => {}
                    None => {
                        (self.batch, self.taken) = (None, 0);
                        continue;
                    }
                }
                self.taken += chunk.len();
                self.in_page += chunk.len() as u64;
                return Ok(Some(chunk));
            }
            match &mut self.replies {
                Some(replies) => match replies.next().await {
                    Some(batch) => self.batch = Some(batch?),
                    None => {
                        self.replies = None;
                        self.is_done = self.in_page < self.page || self.page == 0;
                    }
                },
                None if self.is_done => return Ok(None),
                None => {
                    self.in_page = 0;
                    self.replies = Some(self.next_page().batches(&self.context).await?);
                }
            }
        }
    }

    fn next_page(&self) -> Query {
        let query = self.query.clone();
        match u32::try_from(self.page) {
            Ok(0) | Err(_) => query,
            Ok(page) => {
                Query { limit: self.page, batch_size: page.saturating_add(1), ..query.behind(self.last.as_ref()) }
            }
        }
    }
}

/// Returns some documents of a reply behind the taken documents. The reply may have many bytes.
fn chunk_of(batch: &RawBatch, taken: usize) -> Result<Vec<RawDocumentBuf>> {
    let (mut chunk, mut bytes) = (Vec::new(), 0);
    for document in documents_in(batch)?.skip(taken) {
        let document = document?;
        chunk.push(document.to_owned());
        bytes += document.as_bytes().len();
        if bytes > CHUNK_BYTES {
            break;
        }
    }
    Ok(chunk)
}
