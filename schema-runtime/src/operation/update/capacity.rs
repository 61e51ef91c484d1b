//! Whether the arrays of a document have capacity for what an update adds to them. Reaches the server.

use mongodb::bson::Document;

use crate::{
    definition::ModelDefinition,
    error::Result,
    executor::Context,
    operation::{bound, growth::Growth},
    read::Query,
};

/// What is asked when an update finds nothing, because its filter says that arrays have capacity.
#[derive(Clone)]
pub(super) struct Capacity {
    /// Which documents were asked for.
    pub(super) filter: Document,
    /// What of them have no capacity.
    pub(super) full: Vec<Document>,
    pub(super) growths: Vec<Growth>,
}

impl Capacity {
    /// Why nothing matched: an error when a document has no capacity for what is added, `false` when there is none, `true` when
    /// another writer has freed some since.
    pub(super) async fn was_made(&self, definition: &ModelDefinition, context: &Context) -> Result<bool> {
        self.find(definition, context, self.filter.clone()).await
    }

    /// Whether a document matches; an error when it has no capacity for what is added.
    pub(super) async fn find(&self, definition: &ModelDefinition, context: &Context, filter: Document) -> Result<bool> {
        let mut query = Query::new(definition.collection, filter);
        for growth in &self.growths {
            query.projection.insert(growth.field(), 1);
        }
        let Some(document) = query.first(&context.newest()).await? else { return Ok(false) };
        for growth in &self.growths {
            let size = growth.size_in(&document);
            if size > growth.bound {
                bound::refuse(definition, vec![growth.exceeded(size)])?;
            }
        }
        Ok(true)
    }
}
