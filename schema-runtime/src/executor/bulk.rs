//! Commands of many writes each.

use futures_util::future::BoxFuture;
use mongodb::{
    bson::{Bson, Document, RawDocumentBuf},
    error::{Error as DriverError, ErrorKind, IndexedWriteError, InsertManyError, WriteConcernError, WriteFailure},
    options::WriteConcern,
};
use serde::Serialize;
use tracing::Span;

use super::{
    Context,
    options::Overdue,
    plainly,
    session::{lock, on_a_task},
    shown,
    span::{CommandSpan, Counted},
    texts,
};
use crate::{
    codec, document,
    error::Error,
    limits::{COMMAND_BYTES, COMMAND_STATEMENTS},
};

/// The server's result of one command with many writes.
#[derive(Default)]
pub(crate) struct Written {
    /// The number of inserted, matched (upserts too) or deleted documents, all together.
    pub(crate) count: u64,
    /// The name of the count in a span.
    counted: &'static str,
    /// The number of matched documents that changed.
    pub(crate) modified: u64,
    /// The positions of the upserts that inserted a document, with the `_id` of each document.
    pub(crate) upserted: Vec<(usize, Bson)>,
    /// The writes that were refused.
    pub(crate) refused: Vec<IndexedWriteError>,
    /// Set when the writes are done, and fewer members than required have acknowledged the writes.
    pub(crate) unmet: Option<WriteConcernError>,
}

/// Splits statements, in order, into commands: each command is as large as the limits of a command allow.
pub(crate) fn in_commands(
    statements: impl IntoIterator<Item = Result<RawDocumentBuf, Error>>,
) -> Result<Vec<Vec<RawDocumentBuf>>, Error> {
    let (mut commands, mut bytes) = (Vec::<Vec<RawDocumentBuf>>::new(), 0);
    for statement in statements {
        let statement = statement?;
        let size = statement.as_bytes().len();
        match commands.last_mut().filter(|command| command.len() < COMMAND_STATEMENTS && bytes + size <= COMMAND_BYTES)
        {
            Some(command) => {
                bytes += size;
                command.push(statement);
            }
            None => {
                bytes = size;
                commands.push(vec![statement]);
            }
        }
    }
    Ok(commands)
}

#[derive(Serialize)]
struct UpdateCommand<'a> {
    update: &'static str,
    ordered: bool,
    #[serde(rename = "writeConcern", skip_serializing_if = "Option::is_none")]
    write_concern: Option<&'a WriteConcern>,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<Bson>,
    #[serde(rename = "maxTimeMS", skip_serializing_if = "Option::is_none")]
    max_time: Option<i64>,
    updates: Vec<RawDocumentBuf>,
}

#[derive(Serialize)]
struct DeleteCommand<'a> {
    delete: &'static str,
    ordered: bool,
    #[serde(rename = "writeConcern", skip_serializing_if = "Option::is_none")]
    write_concern: Option<&'a WriteConcern>,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<Bson>,
    #[serde(rename = "maxTimeMS", skip_serializing_if = "Option::is_none")]
    max_time: Option<i64>,
    deletes: Vec<RawDocumentBuf>,
}

impl Written {
    /// Makes the result of writes that were done in several commands.
    pub(crate) fn of(count: u64) -> Self {
        Written { count, ..Written::default() }
    }

    /// Returns the number of stored documents that matched.
    pub(crate) fn matched(&self) -> u64 {
        self.count.saturating_sub(self.upserted.len() as u64)
    }

    /// Adds the result of a second command.
    pub(crate) fn add(&mut self, more: Written) {
        self.count += more.count;
        self.modified += more.modified;
        self.upserted.extend(more.upserted);
        self.refused.extend(more.refused);
        self.unmet = self.unmet.take().or(more.unmet);
    }
}

impl Context {
    /// Sends one `insert` command. `ordered`: the server stops at the first document that the server refuses.
    pub(crate) fn insert_all<'a>(
        &'a self,
        collection: &'static str,
        documents: Vec<RawDocumentBuf>,
        ordered: bool,
    ) -> BoxFuture<'a, Result<Written, DriverError>> {
        Box::pin(async move {
            let count = documents.len();
            let failure = match self.insert_many(collection, documents, ordered).await {
                Ok(()) => return Ok(Written { count: count as u64, ..Written::default() }),
                Err(error) => error,
            };
            match *failure.kind {
                ErrorKind::InsertMany(InsertManyError { write_errors, write_concern_error, .. }) => {
                    let refused = write_errors.unwrap_or_default();
                    let inserted = match refused.first() {
                        Some(first) if ordered => first.index,
                        _ => count - refused.len(),
                    };
                    Ok(Written { count: inserted as u64, refused, unmet: write_concern_error, ..Written::default() })
                }
                _ => Err(failure),
            }
        })
    }

    /// Sends one `update` command.
    pub(crate) fn update_all<'a>(
        &'a self,
        collection: &'static str,
        mut updates: Vec<RawDocumentBuf>,
        ordered: bool,
    ) -> BoxFuture<'a, Result<Written, DriverError>> {
        Box::pin(async move {
            let batch = updates.len();
            let (mut given, write_concern) = (self.given().await?, self.write_concern());
            if given.is_by_bytes() {
                texts::by_bytes(&mut updates)?;
            }
            let (comment, max_time) = (given.comment.take(), given.max_time_ms());
            let command = codec::encode(&UpdateCommand {
                update: collection,
                ordered,
                write_concern,
                comment,
                max_time,
                updates,
            })?;
            let span = self.span("update", collection, None, || shown::decoded(&command)).batch(batch);
            self.write_all(collection, given.overdue, span, command, "mongodb.matched_count").await
        })
    }

    /// Sends one `delete` command.
    pub(crate) fn delete_all<'a>(
        &'a self,
        collection: &'static str,
        mut deletes: Vec<RawDocumentBuf>,
        ordered: bool,
    ) -> BoxFuture<'a, Result<Written, DriverError>> {
        Box::pin(async move {
            let batch = deletes.len();
            let (mut given, write_concern) = (self.given().await?, self.write_concern());
            if given.is_by_bytes() {
                texts::by_bytes(&mut deletes)?;
            }
            let (comment, max_time) = (given.comment.take(), given.max_time_ms());
            let command = codec::encode(&DeleteCommand {
                delete: collection,
                ordered,
                write_concern,
                comment,
                max_time,
                deletes,
            })?;
            let span = self.span("delete", collection, None, || shown::decoded(&command)).batch(batch);
            self.write_all(collection, given.overdue, span, command, "mongodb.deleted_count").await
        })
    }

    /// Returns the write concern of a command: the driver adds no write concern to a raw command. The write concern of
    /// a transaction is sent with the commit.
    fn write_concern(&self) -> Option<&WriteConcern> {
        if self.in_transaction() { None } else { self.database.write_concern() }
    }

    async fn write_all(
        &self,
        collection: &'static str,
        overdue: Overdue,
        span: CommandSpan,
        command: RawDocumentBuf,
        counted: &'static str,
    ) -> Result<Written, DriverError> {
        let database = self.database.clone();
        let sent = async {
            let Some(session) = self.session.clone() else {
                let _turn = plainly::write(&database, collection, overdue).await?;
                return Written::parse(&database.run_raw_command(command).await?, counted);
            };
            let command = async move {
                let mut inside = lock(&session).await?;
                let reply = database.run_raw_command(command).session(&mut inside.session).await;
                let written = Written::parse(&inside.noted(reply)?, counted)?;
                // The driver takes the reply for a success, and the refused write ends the transaction all the same.
                if let Some(refused) = written.refused.first() {
                    let refused = WriteFailure::WriteError(refused.clone().into());
                    let _ = inside.noted::<()>(Err(ErrorKind::Write(refused).into()));
                }
                Ok(written)
            };
            on_a_task(command).await
        };
        span.run(sent).await
    }
}

impl Written {
    /// Returns the first error, if any write or the write concern failed.
    pub(crate) fn complete(self) -> Result<(), DriverError> {
        let failure = match (self.refused.into_iter().next(), self.unmet) {
            (Some(refused), _) => WriteFailure::WriteError(refused.into()),
            (None, Some(unmet)) => WriteFailure::WriteConcernError(unmet),
            (None, None) => return Ok(()),
        };
        Err(ErrorKind::Write(failure).into())
    }

    fn parse(reply: &Document, counted: &'static str) -> Result<Self, DriverError> {
        let failures: InsertManyError = codec::decode(&codec::encode(reply)?)?;
        let upserted = reply.get_array("upserted").map(Vec::as_slice).unwrap_or_default().iter();
        let upserted = upserted.filter_map(|upserted| {
            let upserted = upserted.as_document()?;
            Some((document::count(upserted.get("index")) as usize, upserted.get("_id")?.clone()))
        });
        Ok(Written {
            count: document::count(reply.get("n")),
            counted,
            modified: document::count(reply.get("nModified")),
            upserted: upserted.collect(),
            refused: failures.write_errors.unwrap_or_default(),
            unmet: failures.write_concern_error,
        })
    }
}

impl Counted for Written {
    fn record(&self, span: &Span) {
        span.record(self.counted, self.count.saturating_sub(self.upserted.len() as u64));
        if self.counted == "mongodb.matched_count" {
            span.record("mongodb.modified_count", self.modified);
        }
        if let Some(refused) = self.refused.first() {
            let code = refused.code.to_string();
            span.record("error.type", code.as_str());
            span.record("db.response.status_code", code.as_str());
        }
    }
}
