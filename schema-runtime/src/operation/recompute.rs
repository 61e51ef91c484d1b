//! The recomputation of the rollups of parents.

use futures_util::future::BoxFuture;
use mongodb::bson::Bson;

use crate::{
    definition::ModelDefinition,
    derived::rollup::{self, Recomputed},
    error::Result,
    executor::Executor,
};

/// Recomputes the rollups of the document with the given `_id`; `false` when the document is missing.
pub(super) fn one<'a>(
    db: &'a dyn Executor,
    definition: &'static ModelDefinition,
    id: Result<Bson>,
) -> BoxFuture<'a, Result<bool>> {
    Box::pin(async move { rollup::recompute_one(definition, &db.context()?.majority(), &id?).await })
}

/// Recomputes the rollups of all documents.
pub(super) fn all<'a>(db: &'a dyn Executor, definition: &'static ModelDefinition) -> BoxFuture<'a, Result<Recomputed>> {
    Box::pin(async move { rollup::recompute_all(definition, &db.context()?.majority()).await })
}
