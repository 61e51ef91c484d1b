//! Updates of documents of a model, as the server takes them. Reaches the server.

use mongodb::bson::{Document, RawDocumentBuf};
use serde::Serialize;

use crate::{
    codec,
    definition::ModelDefinition,
    error::{Error, Result, server},
    executor::{Context, Sent, Statement, in_commands},
};

/// An update of the one document that matches.
pub(super) fn of_one(filter: Document, update: impl Serialize) -> Result<RawDocumentBuf> {
    codec::encode(&Statement::new(filter, update, false)).map_err(Error::encode)
}

/// Sends these, in their order and in as few commands as they well fit: how many documents matched, all together.
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

/// One update of all documents that match: how many.
pub(super) async fn change_all(
    context: &Context,
    model: &'static ModelDefinition,
    filter: Document,
    update: Document,
) -> Result<u64> {
    let changed = context.update_many(model.collection, Sent { filter, update, ..Sent::default() }).await;
    Ok(changed.map_err(|error| server::write(model, error))?.matched_count)
}
