//! The check for the capacity of arrays for the elements that an update adds, and for the range of the numbers that an
//! update changes. Reaches the server.

use mongodb::bson::Document;

use crate::{
    definition::ModelDefinition,
    error::{Fault, Result},
    executor::Context,
    field,
    operation::{
        growth::Growth,
        update::guard::{self, Computed, Guard},
    },
    read::Query,
    refusal,
};

/// The check after an update that found nothing, since the filter of the update also asks for capacity in arrays, and
/// for numbers that stay in their ranges.
#[derive(Clone)]
pub(super) struct Capacity {
    /// The filter of the requested documents.
    pub(super) filter: Document,
    /// The conditions of documents without capacity.
    pub(super) full: Vec<Document>,
    pub(super) growths: Vec<Growth>,
    pub(super) guards: Vec<Guard>,
    pub(super) computed: Vec<Computed>,
}

impl Capacity {
    /// Returns the reason why nothing matched: an error when a document has no capacity for the added elements or a
    /// number would leave its range; `false` when no document exists; `true` when another writer has changed the
    /// document since.
    pub(super) async fn was_made(&self, definition: &ModelDefinition, context: &Context) -> Result<bool> {
        self.find(definition, context, self.filter.clone()).await
    }

    /// Returns whether a document matches; an error when the document has no capacity for the added elements, or a
    /// number would leave its range.
    pub(super) async fn find(&self, definition: &ModelDefinition, context: &Context, filter: Document) -> Result<bool> {
        self.refuse_computed(definition, context, &filter).await?;
        let mut query = Query::new(definition.collection, filter);
        for growth in &self.growths {
            query.projection.insert(growth.field(), 1);
        }
        for guard in &self.guards {
            query.projection.insert(guard.field(), 1);
        }
        let Some(document) = query.first(&context.newest()).await? else { return Ok(false) };
        guard::refuse_in(definition, &self.guards, &document)?;
        for growth in &self.growths {
            let size = growth.size_in(&document);
            if size > growth.bound {
                refusal::refuse(definition, vec![growth.exceeded(size)])?;
            }
        }
        Ok(true)
    }

    /// Refuses a document whose expressions have a value beyond a limit of a field.
    async fn refuse_computed(&self, definition: &ModelDefinition, context: &Context, filter: &Document) -> Result<()> {
        let mut faults = Vec::new();
        for Computed { condition, failed } in &self.computed {
            let fails = field::and(filter.clone(), field::nor(vec![condition.clone()]));
            if Query::new(definition.collection, fails).exists(&context.newest()).await? {
                faults.push(Fault::Rule(failed.clone()));
            }
        }
        refusal::refuse(definition, faults)
    }
}
