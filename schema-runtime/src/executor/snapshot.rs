//! Reads documents together with the time of the snapshot.

use std::pin::pin;

use futures_util::{TryStreamExt, future::BoxFuture};
use mongodb::{
    bson::{Bson, Document, Timestamp, doc},
    error::Error as DriverError,
    options::AggregateOptions,
};

use super::{Context, opening::Opening, options::command::add_options, shown, span::CommandSpan, texts};
use crate::{
    definition::CollationDefinition,
    error::{Error, Result, code},
};

/// Documents, and the time of the snapshot that shows the documents.
pub(crate) type AtOneTime = (Vec<Document>, Timestamp);

impl Context {
    /// Returns at most `most` documents from a majority snapshot, with the time of the snapshot (read concern
    /// `snapshot`). Returns `None` when the documents do not fit a single reply. Without documents the time may be 0.
    ///
    /// # Errors
    /// [`Error::NotReplicaSet`] from a standalone server, which has no snapshots.
    pub(crate) fn find_at_one_time<'a>(
        &'a self,
        collection: &'static str,
        filter: Document,
        projection: Document,
        most: usize,
    ) -> BoxFuture<'a, Result<Option<AtOneTime>>> {
        Box::pin(async move {
            let compares = texts::compares(&filter) || texts::compares(&projection);
            let mut command = doc! {
                "find": collection, "filter": filter, "projection": projection, "batchSize": most as i64 + 1,
                "readConcern": { "level": "snapshot" },
            };
            if compares {
                command.insert("collation", CollationDefinition::SIMPLE.to_document());
            }
            let span = CommandSpan::new(&self.database, "find", Some(collection)).shows(|| command.clone());
            let database = self.database.clone();
            let found = Opening::new(async move {
                let reply = database.run_command(command).await?;
                let open = reply.get_document("cursor").and_then(|cursor| cursor.get_i64("id")).unwrap_or_default();
                if open != 0 {
                    let kill = doc! { "killCursors": collection, "cursors": [open] };
                    let span = CommandSpan::new(&database, "killCursors", Some(collection));
                    span.run(database.run_command(kill).into_future()).await?;
                }
                Ok(reply)
            });
            let reply = span.run(found).await.map_err(refused)?;
            let invalid = || Error::Driver(DriverError::custom("a reply to `find` without a cursor or a time"));
            let mut cursor = match reply.get("cursor") {
                Some(Bson::Document(cursor)) => cursor.clone(),
                _ => return Err(invalid()),
            };
            if cursor.get_i64("id").unwrap_or_default() != 0 {
                return Ok(None);
            }
            let Some(Bson::Array(documents)) = cursor.remove("firstBatch") else { return Err(invalid()) };
            let time = match cursor.get_timestamp("atClusterTime") {
                Ok(time) => time,
                // For a missing collection the server returns no time.
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

    /// Returns the time of a majority snapshot of now; `None` of a missing collection, and of a standalone server,
    /// which has no snapshots.
    pub(crate) async fn snapshot_time(&self, collection: &'static str) -> Result<Option<Timestamp>> {
        let nothing = doc! { "_id": { "$in": [] } };
        match self.find_at_one_time(collection, nothing, doc! { "_id": 1 }, 1).await {
            Ok(found) => Ok(found.map(|(_, time)| time).filter(|time| time.time > 0)),
            Err(Error::NotReplicaSet) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Returns the documents of an aggregation at a time of [`snapshot_time`](Context::snapshot_time), with the options
    /// of the operation.
    pub(crate) fn aggregate_at_with_options<'a>(
        &'a self,
        collection: &'static str,
        pipeline: Vec<Document>,
        time: Timestamp,
    ) -> BoxFuture<'a, Result<Vec<Document>>> {
        Box::pin(async move {
            let mut given = self.given().await?;
            let mut options = AggregateOptions::default();
            add_options!(given, options, [hint, comment, max_time, allow_disk_use]);
            // The stages may compare stored fields.
            options.collation = given.collation(|| true);
            let mut command = shown::aggregate(Some(collection), &pipeline, &options);
            command.insert("readConcern", doc! { "level": "snapshot", "atClusterTime": time });
            Ok(given.overdue.wait(pin!(self.run_at(collection, command))).await?)
        })
    }

    /// Returns the documents of an aggregation at a time that [`find_at_one_time`](Context::find_at_one_time) returned.
    pub(crate) fn aggregate_at<'a>(
        &'a self,
        collection: &'static str,
        pipeline: Vec<Document>,
        time: Timestamp,
    ) -> BoxFuture<'a, Result<Vec<Document>>> {
        Box::pin(async move {
            let command = doc! {
                "aggregate": collection, "pipeline": pipeline, "cursor": {},
                "collation": CollationDefinition::SIMPLE.to_document(),
                "readConcern": { "level": "snapshot", "atClusterTime": time },
            };
            Ok(self.run_at(collection, command).await?)
        })
    }

    /// Runs an aggregation and returns all documents.
    async fn run_at(&self, collection: &'static str, command: Document) -> Result<Vec<Document>, DriverError> {
        let span = CommandSpan::new(&self.database, "aggregate", Some(collection)).shows(|| command.clone());
        let database = self.database.clone();
        let all = async move { database.run_cursor_command(command).await?.try_collect().await };
        span.run(Opening::new(all)).await
    }
}

/// Maps the error of a standalone server, which does not know the read concern.
fn refused(error: DriverError) -> Error {
    if code::is_in_no_replica_set(&error) { Error::NotReplicaSet } else { error.into() }
}
