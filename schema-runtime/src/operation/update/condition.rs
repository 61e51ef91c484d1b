//! The condition of an update by `_id`, and the reason why such an update found nothing. Reaches the server.

use mongodb::bson::Document;

use crate::{
    definition::ModelDefinition,
    error::{Error, Result},
    executor::Context,
    field,
    read::Query,
};

/// The condition that a document must meet, beside the filter that names the document.
#[derive(Clone)]
pub(super) struct Condition {
    /// The filter of the document, without the condition.
    asked: Document,
    /// The filter of the document while the document does not meet the condition.
    failed: Document,
}

impl Condition {
    pub(super) fn new(asked: Document, condition: Document) -> Self {
        let failed = field::and(asked.clone(), field::nor(vec![condition]));
        Condition { asked, failed }
    }

    /// Returns the reason why an update found nothing; `Ok` when another writer has changed the document since, so that
    /// another attempt may find the document. Each reason was true at the moment of a read, after the update.
    ///
    /// # Errors
    /// [`Error::ConditionFailed`] when the document does not meet the condition; [`Error::NotFound`] when no document
    /// exists.
    pub(super) async fn judge(&self, definition: &ModelDefinition, context: &Context) -> Result<()> {
        let (context, ModelDefinition { model, collection, .. }) = (context.newest(), *definition);
        if Query::new(collection, self.failed.clone()).exists(&context).await? {
            return Err(Error::ConditionFailed { model, collection });
        }
        match Query::new(collection, self.asked.clone()).exists(&context).await? {
            true => Ok(()),
            false => Err(Error::not_found(definition)),
        }
    }
}
