//! The target of commands, and every command that reads, with or without the session of a transaction.

use std::pin::pin;

use futures_util::future::BoxFuture;
use mongodb::{
    Collection, Database,
    action::Aggregate,
    bson::{Bson, Document, doc},
    options::{
        Acknowledgment, AggregateOptions, CountOptions, DatabaseOptions, DistinctOptions, FindOptions, ReadConcern,
        ReadPreference, SelectionCriteria,
    },
};

use super::{
    Replies,
    opening::Opening,
    options::{Scope, command::add_options},
    replies::Cursor,
    session::{Session, lock, on_a_task},
    shown,
    span::CommandSpan,
    texts,
};
use crate::{
    definition::Texts,
    error::{Error, Result},
};

/// The target of the commands of one operation: a database, with or without a session. Cheap to clone.
#[derive(Clone)]
pub struct Context {
    pub(super) database: Database,
    pub(super) session: Option<Session>,
    /// The options of the operation.
    pub(super) scope: Scope,
    has_few_attempts: bool,
}

impl Context {
    pub(crate) fn new(database: &Database) -> Self {
        Context { database: database.clone(), session: None, scope: Scope::default(), has_few_attempts: false }
    }

    pub(crate) fn in_session(database: &Database, session: Session) -> Self {
        Context { session: Some(session), ..Context::new(database) }
    }

    pub(crate) fn in_transaction(&self) -> bool {
        self.session.is_some()
    }

    /// Returns the same context, in which a write with a transaction of its own gives up after a few conflicts, since
    /// other writes wait.
    pub(crate) fn of_few_attempts(self) -> Self {
        Context { has_few_attempts: true, ..self }
    }

    pub(crate) fn has_few_attempts(&self) -> bool {
        self.has_few_attempts
    }

    /// Returns the same context with write concern and read concern `majority`: neither a write nor a read is rolled
    /// back. A context in a transaction is returned unchanged: a transaction has the guarantee already.
    pub(crate) fn majority(&self) -> Self {
        self.with_concerns(ReadConcern::majority(), Acknowledgment::Majority)
    }

    /// Returns the same context with reads of the primary's newest data, including data that may still be rolled back:
    /// for finding documents that are then written again with a majority.
    pub(crate) fn newest(&self) -> Self {
        self.with_concerns(ReadConcern::local(), Acknowledgment::Majority)
    }

    /// Returns the context of commands that compare texts in this way.
    pub(crate) fn comparing(mut self, texts: Texts) -> Self {
        self.scope.texts = texts;
        self
    }

    /// Returns the same context with writes that only the primary acknowledges: for data that may be rolled back
    /// without harm.
    pub(crate) fn on_the_primary(&self) -> Self {
        self.with_concerns(ReadConcern::majority(), Acknowledgment::Nodes(1))
    }

    fn with_concerns(&self, read_concern: ReadConcern, acknowledgment: Acknowledgment) -> Self {
        if self.in_transaction() {
            return self.clone();
        }
        let mut write_concern = self.database.write_concern().cloned().unwrap_or_default();
        write_concern.w = Some(acknowledgment);
        let options = DatabaseOptions::builder()
            .read_concern(read_concern)
            .selection_criteria(SelectionCriteria::ReadPreference(ReadPreference::Primary))
            .write_concern(write_concern)
            .build();
        let database = self.database.client().database_with_options(self.database.name(), options);
        Context { database, ..self.clone() }
    }

    /// Returns the database, outside of any session.
    pub(crate) fn database(&self) -> &Database {
        &self.database
    }

    /// Makes the span of a command. `filter`: the conditions of the command. `shown` puts the command together, as a
    /// document.
    pub(super) fn span(
        &self,
        operation: &'static str,
        collection: &'static str,
        filter: Option<&Document>,
        shown: impl FnOnce() -> Document,
    ) -> CommandSpan {
        let span = CommandSpan::new(&self.database, operation, Some(collection));
        let span = if let Some(filter) = filter { span.of_filter(filter) } else { span };
        span.shows(|| self.shown(shown()))
    }

    /// Returns a command with the concerns of the context.
    pub(super) fn shown(&self, command: Document) -> Document {
        if self.in_transaction() { command } else { shown::with_concerns(command, &self.database) }
    }

    pub(crate) fn find<'a>(
        &'a self,
        collection: &'static str,
        filter: Document,
        mut options: FindOptions,
    ) -> BoxFuture<'a, Result<Replies>> {
        Box::pin(async move {
            let mut given = self.given().await?;
            add_options!(given, options, [hint, comment, max_time, allow_disk_use, batch_size]);
            options.collation = given.collation(|| {
                texts::compares(&filter) || texts::orders(options.sort.as_ref(), options.projection.as_ref())
            });
            let span = self.span("find", collection, Some(&filter), || shown::find(collection, &filter, &options));
            let (find, session) = (self.database.collection::<Document>(collection), self.session.clone());
            let open = Opening::new(async move {
                let Some(session) = session else {
                    return Cursor::plain(find.find(filter).with_options(options).batch().await?).await;
                };
                let shared = session.clone();
                let command = async move {
                    let mut inside = lock(&shared).await?;
                    let found = find.find(filter).with_options(options).session(&mut inside.session).batch().await;
                    Cursor::in_session(found, &mut inside).await
                };
                let (batches, first) = on_a_task(command).await?;
                Ok((Cursor::InSession(batches, session), first))
            });
            let opened = given.overdue.wait(span.run(open)).await?;
            Ok(Replies::new(opened, &self.database, Some(collection), given.overdue))
        })
    }

    pub(crate) fn aggregate<'a>(
        &'a self,
        collection: Option<&'static str>,
        pipeline: Vec<Document>,
        batch_size: u32,
    ) -> BoxFuture<'a, Result<Replies>> {
        Box::pin(async move {
            let mut given = self.given().await?;
            let mut options = AggregateOptions::default();
            options.batch_size = Some(batch_size);
            add_options!(given, options, [hint, comment, max_time, allow_disk_use, batch_size]);
            // The stages may compare stored fields; a pipeline without a collection compares by bytes.
            options.collation = given.collation(|| collection.is_some());
            let span = CommandSpan::new(&self.database, "aggregate", collection);
            let span = match pipeline.first().and_then(|stage| stage.get_document("$match").ok()) {
                Some(filter) => span.of_filter(filter),
                None => span,
            };
            let shown = || self.shown(shown::aggregate(collection, &pipeline, &options));
            let span = span.shows(shown);
            let (database, session) = (self.database.clone(), self.session.clone());
            let from = collection.map(|name| database.collection::<Document>(name));
            let open = Opening::new(async move {
                let Some(session) = session else {
                    let aggregate = self::aggregate(&database, from.as_ref(), pipeline, options);
                    return Cursor::plain(aggregate.batch().await?).await;
                };
                let shared = session.clone();
                let command = async move {
                    let mut inside = lock(&shared).await?;
                    let aggregate = self::aggregate(&database, from.as_ref(), pipeline, options);
                    let found = aggregate.session(&mut inside.session).batch().await;
                    Cursor::in_session(found, &mut inside).await
                };
                let (batches, first) = on_a_task(command).await?;
                Ok((Cursor::InSession(batches, session), first))
            });
            let opened = given.overdue.wait(span.run(open)).await?;
            Ok(Replies::new(opened, &self.database, collection, given.overdue))
        })
    }

    /// Returns the server's plan for a command. The server explains nothing inside a transaction, so the `explain`
    /// command runs outside of the session.
    pub(crate) fn explain<'a>(&'a self, command: Document) -> BoxFuture<'a, Result<Document>> {
        Box::pin(async move {
            let explain = doc! { "explain": command, "verbosity": "executionStats" };
            let span = CommandSpan::new(&self.database, "explain", None).shows(|| explain.clone());
            Ok(span.run(self.database.run_command(explain).into_future()).await?)
        })
    }

    /// Counts the documents that match; a `skip` or `limit` of 0 means no skip or no limit.
    pub(crate) fn count<'a>(
        &'a self,
        collection: &'static str,
        filter: Document,
        skip: u64,
        limit: u64,
    ) -> BoxFuture<'a, Result<u64>> {
        Box::pin(async move {
            let mut given = self.given().await?;
            let mut options = CountOptions::default();
            options.skip = (skip > 0).then_some(skip);
            options.limit = (limit > 0).then_some(limit);
            add_options!(given, options, [hint, comment, max_time]);
            options.collation = given.collation(|| texts::compares(&filter));
            let shown = || shown::count(collection, &filter, &options);
            let span = self.span("aggregate", collection, Some(&filter), shown);
            let counted = async {
                send!(self, span, |database| database
                    .collection::<Document>(collection)
                    .count_documents(filter)
                    .with_options(options))
            };
            Ok(given.overdue.wait(pin!(counted)).await?)
        })
    }

    /// Returns the distinct values at a path.
    pub(crate) fn distinct<'a>(
        &'a self,
        collection: &'static str,
        path: String,
        filter: Document,
    ) -> BoxFuture<'a, Result<Vec<Bson>>> {
        Box::pin(async move {
            let mut given = self.given().await?;
            if given.hint().is_some() {
                let message = "`distinct` takes no hint, which servers before MongoDB 7.1 refuse: remove the hint";
                return Err(Error::Query { message });
            }
            let mut options = DistinctOptions::default();
            add_options!(given, options, [comment, max_time]);
            // The values may be texts.
            options.collation = given.collation(|| true);
            let shown = || shown::distinct(collection, &path, &filter, &options);
            let span = self.span("distinct", collection, Some(&filter), shown);
            let values = async {
                send!(self, span, |database| database
                    .collection::<Document>(collection)
                    .distinct(path, filter)
                    .with_options(options))
            };
            Ok(given.overdue.wait(pin!(values)).await?)
        })
    }

    /// Drops a collection, with the indexes and the validator; a missing collection counts as dropped.
    pub(crate) fn drop_collection<'a>(&'a self, name: &'static str) -> BoxFuture<'a, Result<()>> {
        let dropped = self.database.collection::<Document>(name);
        Box::pin(async move {
            let span = self.span("drop", name, None, || doc! { "drop": name });
            Ok(span.run(dropped.drop().into_future()).await?)
        })
    }
}

fn aggregate<'a>(
    database: &'a Database,
    from: Option<&'a Collection<Document>>,
    pipeline: Vec<Document>,
    options: AggregateOptions,
) -> Aggregate<'a> {
    let aggregate = match from {
        Some(collection) => collection.aggregate(pipeline),
        None => database.aggregate(pipeline),
    };
    aggregate.with_options(options)
}
