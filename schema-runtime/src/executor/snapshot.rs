//! A read of some documents with the time at which they were so.

use futures_util::{TryStreamExt, future::BoxFuture};
use mongodb::{
    bson::{Bson, Document, Timestamp, doc},
    error::Error as DriverError,
};

use super::{Context, span::CommandSpan};
use crate::error::{Error, Result, code};

/// Documents, and the time at which they were so.
pub(crate) type AtOneTime = (Vec<Document>, Timestamp);

impl Context {
    /// At most so many documents as a majority had them, and when that was (read concern `snapshot`). `None` when they do not
    /// fit one reply. Without documents the time may be 0.
    ///
    /// # Errors
    /// [`Error::NotReplicaSet`] from a standalone, which has no such times.
    pub(crate) fn find_at_one_time<'a>(
        &'a self,
        collection: &'static str,
        filter: Document,
        projection: Document,
        most: usize,
    ) -> BoxFuture<'a, Result<Option<AtOneTime>>> {
        Box::pin(async move {
            let command = doc! {
                "find": collection, "filter": filter, "projection": projection, "batchSize": most as i64 + 1,
                "readConcern": { "level": "snapshot" },
            };
            let span = CommandSpan::new(&self.database, "find", Some(collection));
            let reply = span.run(self.database.run_command(command).into_future()).await.map_err(refused)?;
            let invalid = || Error::Driver(DriverError::custom("a reply to `find` without a cursor or a time"));
            let mut cursor = match reply.get("cursor") {
                Some(Bson::Document(cursor)) => cursor.clone(),
                _ => return Err(invalid()),
            };
            let open = cursor.get_i64("id").unwrap_or_default();
            if open != 0 {
                let kill = doc! { "killCursors": collection, "cursors": [open] };
                let span = CommandSpan::new(&self.database, "killCursors", Some(collection));
                span.run(self.database.run_command(kill).into_future()).await?;
                return Ok(None);
            }
            let Some(Bson::Array(documents)) = cursor.remove("firstBatch") else { return Err(invalid()) };
            let time = match cursor.get_timestamp("atClusterTime") {
                Ok(time) => time,
                // Of a collection that is not there the server says no time.
                Err(_) if documents.is_empty() => Timestamp { time: 0, increment: 0 },
                Err(_) => return Err(invalid()),
            };
            let documents = documents.into_iter().filter_map(|document| match document {
                Bson::Document(document) => Some(document),
                _ => None,
            });
            Ok(Some((documents.collect(), time)))
        })
    }

    /// The documents of an aggregation as they were at a time that [`find_at_one_time`](Context::find_at_one_time) gave.
    pub(crate) fn aggregate_at<'a>(
        &'a self,
        collection: &'static str,
        pipeline: Vec<Document>,
        time: Timestamp,
    ) -> BoxFuture<'a, Result<Vec<Document>>> {
        Box::pin(async move {
            let command = doc! {
                "aggregate": collection, "pipeline": pipeline, "cursor": {},
                "readConcern": { "level": "snapshot", "atClusterTime": time },
            };
            let span = CommandSpan::new(&self.database, "aggregate", Some(collection));
            let all = async { self.database.run_cursor_command(command).await?.try_collect().await };
            Ok(span.run(std::pin::pin!(all)).await?)
        })
    }
}

/// A standalone does not know the read concern.
fn refused(error: DriverError) -> Error {
    if code::is_in_no_replica_set(&error) { Error::NotReplicaSet } else { error.into() }
}
