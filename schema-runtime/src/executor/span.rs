//! The `tracing` span of a command, with names and counts in the words of OpenTelemetry's conventions for database
//! clients, and never a value. Without a subscriber no data is put together.

use std::time::Instant;

use mongodb::{
    Database,
    bson::{Bson, Document},
    error::Error as DriverError,
    raw_batch_cursor::RawBatch,
    results::{DeleteResult, InsertManyResult, InsertOneResult, UpdateResult},
};
use tracing::{Instrument, Span, field::Empty};

use super::{
    counted, halt,
    lines::is_harmless,
    slow::{self, Watched},
    unsent::is_preview,
};
use crate::error::code;

/// The span of one command.
pub(crate) struct CommandSpan {
    span: Span,
    /// The server's name of the command.
    operation: &'static str,
    /// True when the command writes nothing.
    is_harmless: bool,
    /// The command in a preview.
    shown: Option<Document>,
    /// `None` when the time is not measured.
    watched: Option<Box<Watched>>,
}

impl CommandSpan {
    /// Makes the span. `operation` is the server's name of the command; a command without a collection has none.
    pub(crate) fn new(database: &Database, operation: &'static str, collection: Option<&'static str>) -> Self {
        CommandSpan::of(database, operation, collection, is_harmless(operation))
    }

    /// Makes the span of a command that writes, and that has the name of a command that reads.
    pub(super) fn of_write(database: &Database, operation: &'static str, collection: &'static str) -> Self {
        CommandSpan::of(database, operation, Some(collection), false)
    }

    fn of(database: &Database, operation: &'static str, collection: Option<&'static str>, is_harmless: bool) -> Self {
        counted::note(database.name(), operation, collection, is_harmless);
        let span = tracing::debug_span!(
            target: "schema_runtime",
            "command",
            otel.name = %name(operation, collection),
            otel.kind = "client",
            db.system.name = "mongodb",
            db.namespace = database.name(),
            db.collection.name = collection,
            db.operation.name = operation,
            db.operation.batch.size = Empty,
            db.response.returned_rows = Empty,
            db.response.status_code = Empty,
            mongodb.matched_count = Empty,
            mongodb.modified_count = Empty,
            mongodb.deleted_count = Empty,
            error.type = Empty,
        );
        CommandSpan { span, operation, is_harmless, shown: None, watched: slow::watch(database, operation, collection) }
    }

    /// Adds the command for a preview. Outside of a preview the command is not put together.
    pub(super) fn shows(mut self, command: impl FnOnce() -> Document) -> Self {
        if is_preview() {
            self.shown = Some(command());
        }
        self
    }

    /// Adds the conditions of the command, for the event of a slow command.
    pub(super) fn of_filter(mut self, filter: &Document) -> Self {
        if let Some(watched) = &mut self.watched {
            watched.filter(filter);
        }
        self
    }

    /// Makes the span of a whole transaction, which contains the spans of the transaction's commands.
    pub(crate) fn of_transaction(database: &Database) -> Self {
        let span = tracing::debug_span!(
            target: "schema_runtime",
            "transaction",
            db.system.name = "mongodb",
            db.namespace = database.name(),
            mongodb.transaction.attempts = Empty,
        );
        CommandSpan { span, operation: "transaction", is_harmless: false, shown: None, watched: None }
    }

    /// Records the number of times that the transaction was begun.
    pub(crate) fn attempt(&self, attempts: u64) {
        self.span.record("mongodb.transaction.attempts", attempts);
    }

    /// Runs work that records the outcome by itself.
    pub(crate) async fn within<T>(&self, work: impl Future<Output = T>) -> T {
        work.instrument(self.span.clone()).await
    }

    /// Records the number of writes of the command. By the conventions a single write is no batch.
    pub(crate) fn batch(mut self, size: usize) -> Self {
        if size > 1 {
            self.span.record("db.operation.batch.size", size as u64);
        }
        if let Some(watched) = &mut self.watched {
            watched.batch = size;
        }
        self
    }

    /// Runs the command in the span, and then records the outcome. In halted work, and for a write in a preview, the
    /// command does not begin.
    pub(crate) async fn run<T: Counted>(
        self,
        command: impl Future<Output = Result<T, DriverError>>,
    ) -> Result<T, DriverError> {
        let CommandSpan { span, operation, is_harmless, shown, watched } = self;
        if let Some(sent) = counted::preview(|lines| lines.add(operation, shown, is_harmless)) {
            sent?;
        }
        let _permission = halt::permission().await;
        let watched = watched.map(|watched| (watched, Instant::now()));
        let result = command.instrument(span.clone()).await;
        if let Some(report) = watched.and_then(|(watched, begun)| watched.ended(begun)) {
            report.await;
        }
        if !span.is_disabled() {
            match &result {
                Ok(reply) => reply.record(&span),
                Err(error) => record_error(&span, error),
            }
        }
        result
    }
}

/// A reply whose counts are recorded.
pub(crate) trait Counted {
    fn record(&self, span: &Span);
}

/// Implements the trait for replies without counts of documents.
macro_rules! uncounted {
    ($($reply:ty),*) => {$(
        impl Counted for $reply {
            fn record(&self, _: &Span) {}
        }
    )*};
}

uncounted!((), u64, Document, Vec<Bson>, InsertOneResult, InsertManyResult);

/// Records whether a document came back.
impl<T> Counted for Option<T> {
    fn record(&self, span: &Span) {
        span.record("db.response.returned_rows", u64::from(self.is_some()));
    }
}

/// Records the rows of a cursor's first reply, or of a further reply.
impl<T> Counted for (T, Option<RawBatch>) {
    fn record(&self, span: &Span) {
        let rows = self.1.as_ref().and_then(|batch| batch.doc_slices().ok());
        span.record("db.response.returned_rows", rows.map_or(0, |rows| rows.into_iter().count() as u64));
    }
}

/// Records the number of the documents of a cursor.
impl Counted for Vec<Document> {
    fn record(&self, span: &Span) {
        span.record("db.response.returned_rows", self.len() as u64);
    }
}

impl Counted for UpdateResult {
    fn record(&self, span: &Span) {
        span.record("mongodb.matched_count", self.matched_count);
        span.record("mongodb.modified_count", self.modified_count);
    }
}

impl Counted for DeleteResult {
    fn record(&self, span: &Span) {
        span.record("mongodb.deleted_count", self.deleted_count);
    }
}

fn name(operation: &str, collection: Option<&str>) -> String {
    match collection {
        Some(collection) => format!("{operation} {collection}"),
        None => operation.to_owned(),
    }
}

fn record_error(span: &Span, error: &DriverError) {
    match code::server_code(error).map(|code| code.to_string()) {
        Some(code) => {
            span.record("db.response.status_code", code.as_str());
            span.record("error.type", code.as_str());
        }
        None => {
            span.record("error.type", code::kind(error));
        }
    }
}
