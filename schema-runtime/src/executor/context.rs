//! Every command that an operation may send, with or without the session of a transaction.

use std::{fmt, sync::Arc};

use mongodb::{
    ClientSession, Database,
    bson::{Bson, Document, RawDocumentBuf},
    error::{Error as DriverError, TRANSIENT_TRANSACTION_ERROR},
    options::{FindOneAndUpdateOptions, FindOptions, ReturnDocument, UpdateOptions},
    results::UpdateResult,
};
use tokio::sync::Mutex;

use super::Replies;
use crate::error::Result;

/// Where the commands of one operation go. Cheap to clone.
#[derive(Clone)]
pub struct Context {
    database: Database,
    session: Option<Session>,
}

/// An update as the server takes it.
pub(crate) struct Sent {
    pub(crate) filter: Document,
    pub(crate) update: Document,
    pub(crate) array_filters: Vec<Document>,
    pub(crate) upsert: bool,
}

impl Sent {
    fn array_filters(&self) -> Option<Vec<Document>> {
        (!self.array_filters.is_empty()).then(|| self.array_filters.clone())
    }
}

/// The session of a transaction, shared by its operations: one command at a time.
pub(crate) type Session = Arc<Mutex<InTransaction>>;

/// A session and what became of its commands.
pub(crate) struct InTransaction {
    pub(crate) session: ClientSession,
    /// The first error of a command. The server has aborted the transaction with it, whatever the callback makes of it.
    pub(crate) failure: Option<DriverError>,
}

impl InTransaction {
    /// Whether the whole transaction may be tried again after this error.
    pub(crate) fn may_retry(error: &DriverError) -> bool {
        error.contains_label(TRANSIENT_TRANSACTION_ERROR)
    }

    /// Keeps the first error.
    pub(crate) fn noted<T>(&mut self, result: Result<T, DriverError>) -> Result<T, DriverError> {
        if let (Err(error), None) = (&result, &self.failure) {
            self.failure = Some(error.clone());
        }
        result
    }
}

/// Sends one command, plainly or in the session. In a session it runs on a task of its own: a caller that is dropped leaves a
/// command that ends, not one that is half sent.
macro_rules! send {
    ($context:expr, |$database:ident| $action:expr) => {{
        let $database = $context.database.clone();
        match $context.session.clone() {
            None => $action.await,
            Some(session) => {
                let command = async move {
                    let mut inside = session.lock().await;
                    let result = $action.session(&mut inside.session).await;
                    inside.noted(result)
                };
                on_a_task(command).await
            }
        }
    }};
}

impl Context {
    pub(crate) fn new(database: &Database) -> Self {
        Context { database: database.clone(), session: None }
    }

    pub(crate) fn in_session(database: &Database, session: Session) -> Self {
        Context { database: database.clone(), session: Some(session) }
    }

    pub(crate) async fn find(
        &self,
        collection: &'static str,
        filter: Document,
        options: FindOptions,
    ) -> Result<Replies> {
        let find = self.database.collection::<Document>(collection);
        match &self.session {
            None => Ok(Replies::plain(find.find(filter).with_options(options).batch().await?)),
            Some(session) => {
                let shared = session.clone();
                let command = async move {
                    let mut inside = shared.lock().await;
                    let found = find.find(filter).with_options(options).session(&mut inside.session).batch().await;
                    inside.noted(found)
                };
                Ok(Replies::in_session(on_a_task(command).await?, session.clone()))
            }
        }
    }

    pub(crate) async fn aggregate(
        &self,
        collection: Option<&'static str>,
        pipeline: Vec<Document>,
        batch_size: u32,
    ) -> Result<Replies> {
        let database = self.database.clone();
        match &self.session {
            None => {
                let batches = match collection {
                    Some(name) => {
                        let from = database.collection::<Document>(name);
                        from.aggregate(pipeline).batch_size(batch_size).batch().await?
                    }
                    None => database.aggregate(pipeline).batch_size(batch_size).batch().await?,
                };
                Ok(Replies::plain(batches))
            }
            Some(session) => {
                let shared = session.clone();
                let command = async move {
                    let mut inside = shared.lock().await;
                    let session = &mut inside.session;
                    let found = match collection {
                        Some(name) => {
                            let from = database.collection::<Document>(name);
                            from.aggregate(pipeline).batch_size(batch_size).session(session).batch().await
                        }
                        None => database.aggregate(pipeline).batch_size(batch_size).session(session).batch().await,
                    };
                    inside.noted(found)
                };
                Ok(Replies::in_session(on_a_task(command).await?, session.clone()))
            }
        }
    }

    /// The server's plan for a command. The server explains nothing inside a transaction, so it is asked beside it.
    pub(crate) async fn explain(&self, command: Document) -> Result<Document> {
        let explain = mongodb::bson::doc! { "explain": command, "verbosity": "executionStats" };
        Ok(self.database.run_command(explain).await?)
    }

    /// How many documents match; `skip` and `limit` of 0 are none.
    pub(crate) async fn count(&self, collection: &'static str, filter: Document, skip: u64, limit: u64) -> Result<u64> {
        let mut options = mongodb::options::CountOptions::default();
        options.skip = (skip > 0).then_some(skip);
        options.limit = (limit > 0).then_some(limit);
        Ok(send!(self, |database| database
            .collection::<Document>(collection)
            .count_documents(filter)
            .with_options(options))?)
    }

    /// The distinct values at a path.
    pub(crate) async fn distinct(&self, collection: &'static str, path: String, filter: Document) -> Result<Vec<Bson>> {
        Ok(send!(self, |database| database.collection::<Document>(collection).distinct(path, filter))?)
    }

    pub(crate) async fn insert_one(
        &self,
        collection: &'static str,
        document: RawDocumentBuf,
    ) -> Result<(), DriverError> {
        send!(self, |database| database.collection::<RawDocumentBuf>(collection).insert_one(document)).map(drop)
    }

    pub(crate) async fn insert_many(
        &self,
        collection: &'static str,
        documents: Vec<RawDocumentBuf>,
    ) -> Result<(), DriverError> {
        send!(self, |database| database.collection::<RawDocumentBuf>(collection).insert_many(documents)).map(drop)
    }

    /// How many documents matched.
    pub(crate) async fn replace_one(
        &self,
        collection: &'static str,
        filter: Document,
        document: RawDocumentBuf,
    ) -> Result<u64, DriverError> {
        send!(self, |database| database.collection::<RawDocumentBuf>(collection).replace_one(filter, document))
            .map(|replaced| replaced.matched_count)
    }

    pub(crate) async fn update_one(&self, collection: &'static str, sent: Sent) -> Result<UpdateResult, DriverError> {
        let options = UpdateOptions::builder().upsert(sent.upsert.then_some(true)).array_filters(sent.array_filters());
        let options = options.build();
        send!(self, |database| database
            .collection::<Document>(collection)
            .update_one(sent.filter, sent.update)
            .with_options(options))
    }

    pub(crate) async fn update_many(&self, collection: &'static str, sent: Sent) -> Result<UpdateResult, DriverError> {
        let options = UpdateOptions::builder().upsert(sent.upsert.then_some(true)).array_filters(sent.array_filters());
        let options = options.build();
        send!(self, |database| database
            .collection::<Document>(collection)
            .update_many(sent.filter, sent.update)
            .with_options(options))
    }

    /// The document as it was before, or is after.
    pub(crate) async fn find_one_and_update(
        &self,
        collection: &'static str,
        sent: Sent,
        after: bool,
    ) -> Result<Option<RawDocumentBuf>, DriverError> {
        let which = if after { ReturnDocument::After } else { ReturnDocument::Before };
        let options = FindOneAndUpdateOptions::builder()
            .upsert(sent.upsert.then_some(true))
            .array_filters(sent.array_filters())
            .return_document(which)
            .build();
        send!(self, |database| database
            .collection::<RawDocumentBuf>(collection)
            .find_one_and_update(sent.filter, sent.update)
            .with_options(options))
    }

    /// How many documents were deleted.
    pub(crate) async fn delete_many(&self, collection: &'static str, filter: Document) -> Result<u64, DriverError> {
        send!(self, |database| database.collection::<Document>(collection).delete_many(filter))
            .map(|deleted| deleted.deleted_count)
    }

    /// How many documents were deleted.
    pub(crate) async fn delete_one(&self, collection: &'static str, filter: Document) -> Result<u64, DriverError> {
        send!(self, |database| database.collection::<Document>(collection).delete_one(filter))
            .map(|deleted| deleted.deleted_count)
    }
}

/// Runs to its end even when the caller is dropped.
pub(super) async fn on_a_task<T: Send + 'static>(
    command: impl Future<Output = Result<T, DriverError>> + Send + 'static,
) -> Result<T, DriverError> {
    match tokio::spawn(command).await {
        Ok(result) => result,
        Err(error) => match error.try_into_panic() {
            Ok(reason) => std::panic::resume_unwind(reason),
            Err(_) => Err(DriverError::custom("the runtime is shutting down")),
        },
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.session.is_some() { "transaction on" } else { "database" };
        write!(formatter, "{kind} `{}`", self.database.name())
    }
}
