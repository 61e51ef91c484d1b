//! Reads in the form for public calls. Each function returns a boxed future, and takes the work on a document as a
//! `dyn FnMut`: rustc compiles the body of an `async fn` again in each crate that awaits the function, but the body of
//! a boxed future only once, in this crate. Generic code for the user's types is around the functions, and only encodes
//! and decodes.

use std::ops::ControlFlow;

use futures_util::{
    StreamExt, TryStreamExt,
    future::BoxFuture,
    stream::{self, BoxStream},
};
use mongodb::{
    bson::{Bson, Document, RawDocument, RawDocumentBuf},
    raw_batch_cursor::RawBatch,
};

use super::{Aggregate, Query};
use crate::{
    error::{Error, Result},
    executor::{Context, Executor, Replies},
};

/// The work on each document, until a break.
pub(crate) type Visit<'a> = dyn FnMut(&RawDocument) -> Result<ControlFlow<()>> + Send + 'a;

/// Raw documents as they arrive.
pub(crate) type RawDocuments = BoxStream<'static, Result<RawDocumentBuf>>;

impl Query {
    /// Returns the context of the command, with the options of the operation.
    pub(crate) fn context(&self, db: &dyn Executor) -> Result<Context> {
        let context = db.context()?.with(self.options.as_deref())?;
        match &self.asked {
            Some(asked) => {
                self.refuse_search_without_keys(asked.model)?;
                let context = context.comparing(self.texts).own(asked)?;
                if self.looks_up_texts && context.has_collation() {
                    let message = "a `lookup` finds documents by references to texts, which are equal by bytes alone: \
                                   remove the `collation`, or read the documents by a second read";
                    return Err(Error::Query { message });
                }
                Ok(context)
            }
            // The read is one of several commands, or compares references.
            None if self.options.as_ref().is_some_and(|options| options.select()) => Err(Error::Query {
                message: "a read of a relation or of embedded elements takes no `hint` and no `collation`",
            }),
            None => Ok(context.along().comparing(self.texts)),
        }
    }
}

/// Hands each document to `visit`, in the server's order.
pub(crate) fn each<'a>(
    db: &'a dyn Executor,
    query: Result<Query>,
    visit: &'a mut Visit<'a>,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        let query = query?;
        let context = query.context(db)?;
        query.for_each(&context, visit).await
    })
}

/// Returns all documents as `decode` reads each document, in the server's order.
pub(crate) async fn all<T: Send>(
    db: &dyn Executor,
    query: Result<Query>,
    mut decode: impl FnMut(&RawDocument) -> Result<T> + Send,
) -> Result<Vec<T>> {
    let mut documents = Vec::new();
    let mut visit = |document: &RawDocument| {
        documents.push(decode(document)?);
        Ok(ControlFlow::Continue(()))
    };
    each(db, query, &mut visit).await?;
    Ok(documents)
}

/// Hands each document of an `aggregate` to `visit`.
pub(crate) fn each_row<'a>(
    db: &'a dyn Executor,
    rows: Result<Aggregate>,
    visit: &'a mut Visit<'a>,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move { rows?.for_each(&db.context()?.along(), visit).await })
}

/// Returns the first document.
pub(crate) fn first(db: &dyn Executor, query: Result<Query>) -> BoxFuture<'_, Result<Option<RawDocumentBuf>>> {
    Box::pin(async move {
        let query = query?;
        let context = query.context(db)?;
        query.first(&context).await
    })
}

/// Streams all documents, one reply of the server at a time; after an error of the server nothing follows.
pub(crate) fn stream(db: &dyn Executor, query: Result<Query>) -> BoxFuture<'_, Result<RawDocuments>> {
    Box::pin(async move {
        let mut query = query?;
        if query.batch_size == 0 {
            query.batch_size = STREAM_BATCH;
        }
        let context = query.context(db)?;
        Ok(streamed(query.batches(&context).await?))
    })
}

/// Streams all documents of an aggregation, one reply of the server at a time.
pub(crate) fn stream_rows(db: &dyn Executor, rows: Aggregate) -> BoxFuture<'_, Result<RawDocuments>> {
    Box::pin(async move {
        let context = db.context()?.along();
        Ok(streamed(context.aggregate(rows.collection, rows.pipeline, STREAM_BATCH).await?))
    })
}

fn streamed(replies: Replies) -> RawDocuments {
    let replies = stream::unfold(Some(replies.of_stream()), async |replies| {
        let mut replies = replies?;
        let documents = replies.next().await?.and_then(|batch| documents_of(&batch));
        let rest = documents.is_ok().then_some(replies);
        Some((documents, rest))
    });
    replies.map_ok(|documents| stream::iter(documents).map(Ok)).try_flatten().fuse().boxed()
}

/// More documents than one reply of 16 MB can hold: the server fills each reply.
pub(crate) const WHOLE_REPLY: u32 = 1_000_000;

/// The number of documents in a reply of a stream, so that the stream holds few documents even where the documents are
/// small.
const STREAM_BATCH: u32 = 1_000;

fn documents_of(batch: &RawBatch) -> Result<Vec<RawDocumentBuf>> {
    super::documents_in(batch)?.map(|document| document.map(RawDocument::to_owned)).collect()
}

/// Counts the documents on the server, with `skip` and `limit`.
pub(crate) fn count(db: &dyn Executor, query: Result<Query>) -> BoxFuture<'_, Result<u64>> {
    Box::pin(async move {
        let query = query?;
        let context = query.context(db)?;
        query.count(&context).await
    })
}

/// Returns about the number of documents of a collection.
pub(crate) fn estimated_count<'a>(db: &'a dyn Executor, collection: &'static str) -> BoxFuture<'a, Result<u64>> {
    Box::pin(async move { db.context()?.estimated_count(collection).await })
}

/// Returns whether the query finds a document.
pub(crate) fn exists(db: &dyn Executor, query: Result<Query>) -> BoxFuture<'_, Result<bool>> {
    Box::pin(async move {
        let query = query?;
        let context = query.context(db)?;
        query.exists(&context).await
    })
}

/// Returns the distinct values at a path in all documents that the filter finds.
pub(crate) fn distinct(db: &dyn Executor, query: Result<Query>, path: String) -> BoxFuture<'_, Result<Vec<Bson>>> {
    Box::pin(async move {
        let query = query?;
        if query.skip > 0 || query.limit > 0 {
            return Err(Error::Query { message: "`distinct` reads all matching documents: remove `skip` and `limit`" });
        }
        let context = query.context(db)?;
        query.distinct(&context, path).await
    })
}

/// Returns the rows of a `$group` over the documents that the query finds, after the stages `then`.
pub(crate) fn grouped(
    db: &dyn Executor,
    query: Result<Query>,
    group: Document,
    then: Vec<Document>,
) -> BoxFuture<'_, Result<Vec<Document>>> {
    Box::pin(async move {
        let query = query?;
        let context = query.context(db)?;
        query.grouped(&context, group, then).await
    })
}

/// Returns the least (`1`) or the greatest (`-1`) value at a path in all documents that the query finds.
pub(crate) fn extreme(
    db: &dyn Executor,
    query: Result<Query>,
    path: String,
    direction: i32,
) -> BoxFuture<'_, Result<Option<Bson>>> {
    Box::pin(async move {
        let query = query?;
        let context = query.context(db)?;
        query.extreme(&context, &path, direction).await
    })
}
