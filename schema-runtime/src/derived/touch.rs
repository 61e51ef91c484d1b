//! Touches: updates of a field that no user reads, so that another transaction that writes the same document meets a
//! write conflict. Reaches the server.

use mongodb::bson::{Bson, Document, doc};

use super::statements::{change_all, of_one, send};
use crate::{
    changes::{ChangeSet, Operator},
    definition::{
        ModelDefinition,
        stored_names::{DELETING, PARENT_TOUCH, TREE_TOUCH},
    },
    error::Result,
    executor::Context,
};

/// The documents that a write touches.
pub(super) enum Touch<'a> {
    /// Parents under a delete rule, by `_id`, except for parents that are being deleted. The touch sets and unsets a
    /// field, and leaves no field behind.
    Parents(Vec<&'a Bson>),
    /// The documents of a tree that match the filter. The touch increments a number, since an update without a change
    /// meets no conflict.
    Nodes(Document),
}

/// Touches the documents, and returns the number of touched documents.
pub(super) async fn touch(context: &Context, model: &'static ModelDefinition, touch: Touch<'_>) -> Result<u64> {
    match touch {
        Touch::Parents(ids) => {
            let update = |id: &Bson, operator: &str| {
                let filter = doc! { "_id": { "$eq": id }, DELETING: { "$exists": false } };
                of_one(filter, doc! { operator: { PARENT_TOUCH: 1 } })
            };
            let statements = ids.into_iter().flat_map(|id| ["$set", "$unset"].map(|operator| update(id, operator)));
            Ok(send(context, model, statements.collect()).await? / 2)
        }
        Touch::Nodes(filter) => change_all(context, model, filter, doc! { "$inc": { TREE_TOUCH: 1_i64 } }).await,
    }
}

/// Adds the touch of a document of a tree to an update that writes the document anyway.
pub(super) fn touch_with(changes: &mut ChangeSet) {
    changes.put(Operator::Inc, TREE_TOUCH, 1_i64);
}
