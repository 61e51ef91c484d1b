//! Every command that an operation may send, with or without the session of a transaction.

use std::{mem, pin::pin};

use futures_util::future::BoxFuture;
use mongodb::{
    Collection, Database,
    action::Aggregate,
    bson::{Bson, Document, RawDocumentBuf, doc},
    error::Error as DriverError,
    options::{
        Acknowledgment, DatabaseOptions, FindOneAndUpdateOptions, FindOptions, ReadConcern, ReadPreference,
        ReturnDocument, SelectionCriteria,
    },
    results::UpdateResult,
};

use super::{
    Replies, UpdateRequest, plainly,
    replies::Cursor,
    session::{Session, on_a_task},
    span::CommandSpan,
};
use crate::error::Result;

/// The target of the commands of one operation: a database, with or without a session. Cheap to clone.
#[derive(Clone)]
pub struct Context {
    pub(super) database: Database,
    pub(super) session: Option<Session>,
    has_few_attempts: bool,
}

impl Context {
    pub(crate) fn new(database: &Database) -> Self {
        Context { database: database.clone(), session: None, has_few_attempts: false }
    }

    pub(crate) fn in_session(database: &Database, session: Session) -> Self {
        Context { database: database.clone(), session: Some(session), has_few_attempts: false }
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

    pub(super) fn span(&self, operation: &'static str, collection: &'static str) -> CommandSpan {
        CommandSpan::new(&self.database, operation, Some(collection))
    }

    pub(crate) fn find<'a>(
        &'a self,
        collection: &'static str,
        filter: Document,
        options: FindOptions,
    ) -> BoxFuture<'a, Result<Replies>> {
        Box::pin(async move {
            let find = self.database.collection::<Document>(collection);
            // Pinned here: the driver's future is large, and would be moved with each surrounding future of this crate.
            let open = pin!(async {
                let session = match &self.session {
                    None => return Cursor::plain(find.find(filter).with_options(options).batch().await?).await,
                    Some(session) => session.clone(),
                };
                let shared = session.clone();
                let command = async move {
                    let mut inside = shared.lock().await;
                    let found = find.find(filter).with_options(options).session(&mut inside.session).batch().await;
                    Cursor::in_session(found, &mut inside).await
                };
                let (batches, first) = on_a_task(command).await?;
                Ok((Cursor::InSession(batches, session), first))
            });
            let opened = self.span("find", collection).run(open).await?;
            Ok(Replies::new(opened, &self.database, Some(collection)))
        })
    }

    pub(crate) fn aggregate<'a>(
        &'a self,
        collection: Option<&'static str>,
        pipeline: Vec<Document>,
        batch_size: u32,
    ) -> BoxFuture<'a, Result<Replies>> {
        Box::pin(async move {
            let database = self.database.clone();
            let from = collection.map(|name| database.collection::<Document>(name));
            // Pinned here: the driver's future is large, and would be moved with each surrounding future of this crate.
            let open = pin!(async {
                let session = match &self.session {
                    None => {
                        let aggregate = self::aggregate(&database, from.as_ref(), pipeline, batch_size);
                        return Cursor::plain(aggregate.batch().await?).await;
                    }
                    Some(session) => session.clone(),
                };
                let shared = session.clone();
                let command = async move {
                    let mut inside = shared.lock().await;
                    let aggregate = self::aggregate(&database, from.as_ref(), pipeline, batch_size);
                    let found = aggregate.session(&mut inside.session).batch().await;
                    Cursor::in_session(found, &mut inside).await
                };
                let (batches, first) = on_a_task(command).await?;
                Ok((Cursor::InSession(batches, session), first))
            });
            let span = CommandSpan::new(&self.database, "aggregate", collection);
            let opened = span.run(open).await?;
            Ok(Replies::new(opened, &self.database, collection))
        })
    }

    /// Returns the server's plan for a command. The server explains nothing inside a transaction, so the `explain`
    /// command runs outside of the session.
    pub(crate) fn explain<'a>(&'a self, command: Document) -> BoxFuture<'a, Result<Document>> {
        Box::pin(async move {
            let explain = doc! { "explain": command, "verbosity": "executionStats" };
            let span = CommandSpan::new(&self.database, "explain", None);
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
            let mut options = mongodb::options::CountOptions::default();
            options.skip = (skip > 0).then_some(skip);
            options.limit = (limit > 0).then_some(limit);
            Ok(send!(self, self.span("aggregate", collection), |database| database
                .collection::<Document>(collection)
                .count_documents(filter)
                .with_options(options))?)
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
            let span = self.span("distinct", collection);
            Ok(send!(self, span, |database| database.collection::<Document>(collection).distinct(path, filter))?)
        })
    }

    pub(crate) fn insert_one<'a>(
        &'a self,
        collection: &'static str,
        document: RawDocumentBuf,
    ) -> BoxFuture<'a, Result<(), DriverError>> {
        Box::pin(async move {
            send_write!(self, collection, self.span("insert", collection), |database| database
                .collection::<RawDocumentBuf>(collection)
                .insert_one(document))
            .map(drop)
        })
    }

    pub(crate) fn insert_many<'a>(
        &'a self,
        collection: &'static str,
        documents: Vec<RawDocumentBuf>,
        ordered: bool,
    ) -> BoxFuture<'a, Result<(), DriverError>> {
        Box::pin(async move {
            let span = self.span("insert", collection).batch(documents.len());
            send_write!(self, collection, span, |database| database
                .collection::<RawDocumentBuf>(collection)
                .insert_many(documents)
                .ordered(ordered))
            .map(drop)
        })
    }

    /// Replaces a document; returns the number of matched documents.
    pub(crate) fn replace_one<'a>(
        &'a self,
        collection: &'static str,
        filter: Document,
        document: RawDocumentBuf,
    ) -> BoxFuture<'a, Result<u64, DriverError>> {
        Box::pin(async move {
            send_write!(self, collection, self.span("update", collection), |database| database
                .collection::<RawDocumentBuf>(collection)
                .replace_one(filter, document))
            .map(|replaced| replaced.matched_count)
        })
    }

    /// Updates one document that matches, or all documents that match (`many`); returns the number of matched
    /// documents.
    pub(crate) fn update_with_pipeline<'a>(
        &'a self,
        collection: &'static str,
        filter: Document,
        pipeline: Vec<Document>,
        many: bool,
    ) -> BoxFuture<'a, Result<u64, DriverError>> {
        Box::pin(async move {
            let updated = match many {
                false => send_write!(self, collection, self.span("update", collection), |database| database
                    .collection::<Document>(collection)
                    .update_one(filter, pipeline)),
                true => send_write!(self, collection, self.span("update", collection), |database| database
                    .collection::<Document>(collection)
                    .update_many(filter, pipeline)),
            };
            updated.map(|updated| updated.matched_count)
        })
    }

    /// Updates a document; returns the selected fields of the document after the update.
    pub(crate) fn find_one_and_update_with_pipeline<'a>(
        &'a self,
        collection: &'static str,
        filter: Document,
        pipeline: Vec<Document>,
        fields: Document,
    ) -> BoxFuture<'a, Result<Option<RawDocumentBuf>, DriverError>> {
        Box::pin(async move {
            send_write!(self, collection, self.span("findAndModify", collection), |database| database
                .collection::<RawDocumentBuf>(collection)
                .find_one_and_update(filter, pipeline)
                .return_document(ReturnDocument::After)
                .projection(fields))
        })
    }

    pub(crate) fn update_one<'a>(
        &'a self,
        collection: &'static str,
        mut sent: UpdateRequest,
    ) -> BoxFuture<'a, Result<UpdateResult, DriverError>> {
        Box::pin(async move {
            let options = sent.options();
            send_write!(self, collection, self.span("update", collection), |database| database
                .collection::<Document>(collection)
                .update_one(sent.filter, sent.update)
                .with_options(options))
        })
    }

    pub(crate) fn update_many<'a>(
        &'a self,
        collection: &'static str,
        mut sent: UpdateRequest,
    ) -> BoxFuture<'a, Result<UpdateResult, DriverError>> {
        Box::pin(async move {
            let options = sent.options();
            send_write!(self, collection, self.span("update", collection), |database| database
                .collection::<Document>(collection)
                .update_many(sent.filter, sent.update)
                .with_options(options))
        })
    }

    /// Updates a document; returns the document before or after the update, with the selected fields or with all
    /// fields.
    pub(crate) fn find_one_and_update<'a>(
        &'a self,
        collection: &'static str,
        mut sent: UpdateRequest,
        after: bool,
        projection: Document,
    ) -> BoxFuture<'a, Result<Option<RawDocumentBuf>, DriverError>> {
        Box::pin(async move {
            let which = if after { ReturnDocument::After } else { ReturnDocument::Before };
            let projection = if projection.is_empty() { mem::take(&mut sent.returned) } else { projection };
            let options = FindOneAndUpdateOptions::builder()
                .upsert(sent.upsert.then_some(true))
                .array_filters(sent.array_filters())
                .return_document(which)
                .sort((!sent.sort.is_empty()).then(|| mem::take(&mut sent.sort)))
                .projection((!projection.is_empty()).then_some(projection))
                .build();
            send_write!(self, collection, self.span("findAndModify", collection), |database| database
                .collection::<RawDocumentBuf>(collection)
                .find_one_and_update(sent.filter, sent.update)
                .with_options(options))
        })
    }

    /// Deletes all documents that match; returns the number of deleted documents.
    pub(crate) fn delete_many<'a>(
        &'a self,
        collection: &'static str,
        filter: Document,
    ) -> BoxFuture<'a, Result<u64, DriverError>> {
        Box::pin(async move {
            send_write!(self, collection, self.span("delete", collection), |database| database
                .collection::<Document>(collection)
                .delete_many(filter))
            .map(|deleted| deleted.deleted_count)
        })
    }

    /// Deletes one document that matches; returns the number of deleted documents.
    pub(crate) fn delete_one<'a>(
        &'a self,
        collection: &'static str,
        filter: Document,
    ) -> BoxFuture<'a, Result<u64, DriverError>> {
        Box::pin(async move {
            send_write!(self, collection, self.span("delete", collection), |database| database
                .collection::<Document>(collection)
                .delete_one(filter))
            .map(|deleted| deleted.deleted_count)
        })
    }

    /// Drops a collection, with the indexes and the validator; a missing collection counts as dropped.
    pub(crate) fn drop_collection<'a>(&'a self, name: &'static str) -> BoxFuture<'a, Result<()>> {
        let dropped = self.database.collection::<Document>(name);
        Box::pin(async move { Ok(self.span("drop", name).run(dropped.drop().into_future()).await?) })
    }
}

fn aggregate<'a>(
    database: &'a Database,
    from: Option<&'a Collection<Document>>,
    pipeline: Vec<Document>,
    batch_size: u32,
) -> Aggregate<'a> {
    let aggregate = match from {
        Some(collection) => collection.aggregate(pipeline),
        None => database.aggregate(pipeline),
    };
    aggregate.batch_size(batch_size)
}
