//! Update statements for documents of a model, in the form of the server. Reaches the server.

use mongodb::bson::{Document, RawDocumentBuf};
use serde::Serialize;

use crate::{
    codec,
    definition::ModelDefinition,
    error::{Error, Result, server},
    executor::{Context, Statement, UpdateRequest, in_commands},
};

/// Encodes an update of the document that matches the filter.
pub(super) fn of_one(filter: Document, update: impl Serialize) -> Result<RawDocumentBuf> {
    codec::encode(&Statement::new(filter, update, false)).map_err(Error::encode)
}

/// Sends the statements in order, in as few commands as fit, and returns the total number of matched documents.
pub(super) async fn send(
    context: &Context,
    model: &'static ModelDefinition,
    statements: Vec<Result<RawDocumentBuf>>,
) -> Result<u64> {
    let mut matched = 0;
    for command in in_commands(statements)? {
        let written = context.update_all(model.collection, command, true).await;
        let written = written.map_err(|error| server::write(model, error))?;
        matched += written.matched();
        written.complete().map_err(|error| server::write(model, error))?;
    }
    Ok(matched)
}

/// Updates all documents that match the filter with a single statement, and returns the number of matched documents.
pub(super) async fn change_all(
    context: &Context,
    model: &'static ModelDefinition,
    filter: Document,
    update: Document,
) -> Result<u64> {
    let changed =
        context.update_many(model.collection, UpdateRequest { filter, update, ..UpdateRequest::default() }).await;
    Ok(changed.map_err(|error| server::write(model, error))?.matched_count)
}
