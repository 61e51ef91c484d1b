//! Deletes by `_id` in a lane.

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, doc};

use super::delete;
use crate::{
    changes::Reach,
    definition::ModelDefinition,
    derived::effect::WriteView,
    document::equal_to,
    error::{Error, Result},
    executor::{Context, Outcome, PerClient},
    key::Key,
    operation::{
        atomic::{atomically, is_atomic},
        lane::{LaneWrite, Lanes},
        together::shared_documents,
    },
};

/// A delete of the document with an `_id`; the delete must be in a transaction.
#[derive(Clone)]
pub(super) struct DeleteById(Bson);

impl DeleteById {
    /// Returns `None` where the delete shares no transaction.
    pub(super) fn new(context: &Context, definition: &'static ModelDefinition, filter: &Document) -> Option<Self> {
        let id = equal_to(filter, "_id").filter(|_| filter.len() == 1)?;
        let shares = !context.in_transaction()
            && is_atomic(definition, &WriteView::Delete)
            && shared_documents(definition, &WriteView::Delete).is_some();
        shares.then(|| DeleteById(id.clone()))
    }
}

/// Deletes documents by `_id` in one transaction, and returns the number. With several `_id`s, all documents are
/// deleted, or none.
async fn delete_all(context: &Context, definition: &'static ModelDefinition, ids: Vec<Bson>) -> Result<u64> {
    let count = ids.len() as u64;
    let delete = |context: Context| -> BoxFuture<'_, Result<u64>> {
        let filter = match &ids[..] {
            [id] => doc! { "_id": { "$eq": id } },
            ids => doc! { "_id": { "$in": ids } },
        };
        Box::pin(async move {
            match delete(&context, definition, filter, Reach::All).await? {
                // The server does not name the deleted documents.
                some if count > 1 && some < count => Err(Error::not_found(definition)),
                deleted => Ok(deleted),
            }
        })
    };
    atomically(context, delete).await
}

impl LaneWrite for DeleteById {
    fn size(&self) -> usize {
        size_of::<Bson>()
    }

    fn document(&self) -> Option<Key> {
        Some(Key::of(&self.0))
    }

    fn lanes() -> &'static PerClient<Lanes<Self>> {
        static LANES: PerClient<Lanes<DeleteById>> = PerClient::new();
        &LANES
    }

    fn run_alone(self, context: Context, definition: &'static ModelDefinition) -> BoxFuture<'static, Result<Outcome>> {
        Box::pin(async move {
            let matched = delete_all(&context, definition, vec![self.0]).await?;
            Ok(Outcome { matched, ..Outcome::default() })
        })
    }

    fn run_together(
        writes: Vec<Self>,
        context: Context,
        definition: &'static ModelDefinition,
    ) -> BoxFuture<'static, Result<Vec<Outcome>>> {
        Box::pin(async move {
            let found = Outcome { matched: 1, ..Outcome::default() };
            let outcomes = vec![found; writes.len()];
            delete_all(&context, definition, writes.into_iter().map(|write| write.0).collect()).await?;
            Ok(outcomes)
        })
    }
}
