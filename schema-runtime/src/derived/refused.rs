//! Statements in few commands, where a refusal by the server does not end the remaining work. Reaches the server.

use std::mem;

use futures_util::future::BoxFuture;
use mongodb::{
    bson::{Bson, Document, RawDocumentBuf, doc},
    error::{ErrorKind, WriteFailure},
};

use crate::{
    codec,
    definition::ModelDefinition,
    error::{Error, Result, server},
    executor::{Context, UpdateRequest, Written, in_commands},
    report::named,
};

/// Documents that the server refused to write.
#[derive(Debug, Default)]
pub(crate) struct Refused {
    pub(crate) documents: u64,
    /// The `_id`s of some refused documents.
    pub(crate) examples: Vec<Bson>,
    /// The error of the first refusal.
    first: Option<Error>,
}

impl Refused {
    pub(super) fn one(id: Bson, error: Error) -> Self {
        Refused { documents: 1, examples: vec![id], first: Some(error) }
    }

    /// Collects the documents with the given `_id`s for a report.
    pub(super) fn of(ids: impl IntoIterator<Item = Bson>) -> Self {
        let mut refused = Refused::default();
        for id in ids {
            refused.documents += 1;
            named(&mut refused.examples, [id]);
        }
        refused
    }

    pub(crate) fn add(&mut self, other: Refused) {
        self.documents += other.documents;
        named(&mut self.examples, other.examples);
        self.first = self.first.take().or(other.first);
    }

    /// Returns the first error, if any.
    pub(crate) fn none(self) -> Result<()> {
        self.first.map_or(Ok(()), Err)
    }
}

/// Sends many statements in few commands. Each statement changes one document, or all that match.
pub(super) fn send_all<'a>(
    context: &'a Context,
    model: &'static ModelDefinition,
    statements: Vec<(UpdateRequest, bool)>,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        for batch in batches(statements)? {
            let written = context.update_all(model.collection, batch, false).await;
            written.and_then(Written::complete).map_err(|error| server::write(model, error))?;
        }
        Ok(())
    })
}

/// Sends many statements, and returns the positions and errors of the statements that the server refuses.
pub(super) fn send_through<'a>(
    context: &'a Context,
    model: &'static ModelDefinition,
    statements: Vec<(UpdateRequest, bool)>,
) -> BoxFuture<'a, Result<Vec<(usize, Error)>>> {
    Box::pin(async move {
        let (mut before, mut refused) = (0, Vec::new());
        for batch in batches(statements)? {
            let size = batch.len();
            let written = context.update_all(model.collection, batch, false).await;
            let mut written = written.map_err(|error| server::write(model, error))?;
            for error in mem::take(&mut written.refused) {
                let at = before + error.index;
                let error = ErrorKind::Write(WriteFailure::WriteError(error.into()));
                refused.push((at, server::write(model, error.into())));
            }
            written.complete().map_err(|error| server::write(model, error))?;
            before += size;
        }
        Ok(refused)
    })
}

fn batches(statements: Vec<(UpdateRequest, bool)>) -> Result<Vec<Vec<RawDocumentBuf>>> {
    let encoded =
        |(sent, multi): (UpdateRequest, bool)| codec::encode(&sent.into_statement(multi)).map_err(Error::encode);
    in_commands(statements.into_iter().map(encoded))
}

/// Sends a statement for each document, and returns the `_id`s of the documents that the server refuses.
pub(super) async fn send_each(
    context: &Context,
    model: &'static ModelDefinition,
    statements: impl IntoIterator<Item = (Bson, UpdateRequest)>,
) -> Result<Refused> {
    let (ids, statements): (Vec<Bson>, Vec<_>) = statements.into_iter().map(|(id, sent)| (id, (sent, false))).unzip();
    let mut refused = Refused::default();
    for (at, error) in send_through(context, model, statements).await? {
        refused.add(Refused::one(ids.get(at).cloned().unwrap_or(Bson::Null), error));
    }
    Ok(refused)
}

/// Updates each document that still has the mark of the read.
pub(super) async fn update_marked(
    context: &Context,
    model: &'static ModelDefinition,
    mark: &str,
    documents: &[Document],
    update: &Document,
) -> Result<Refused> {
    let statements = documents.iter().map(|document| {
        let [id, marked] = ["_id", mark].map(|name| document.get(name).cloned().unwrap_or(Bson::Null));
        let filter = doc! { "_id": { "$eq": &id }, mark: { "$eq": marked } };
        (id, UpdateRequest { filter, update: update.clone(), ..UpdateRequest::default() })
    });
    send_each(context, model, statements).await
}

/// Returns the outcome of a write; `None` where the server refused the write. In a transaction a refusal ends the
/// transaction and returns the error.
pub(super) fn unless_refused<T>(context: &Context, done: Result<T>) -> Result<Option<T>> {
    match done {
        Err(error) if Error::is_refusal(&error) && !context.in_transaction() => Ok(None),
        done => done.map(Some),
    }
}
