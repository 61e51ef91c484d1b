//! Recomputing what parents keep of their children.

use futures_util::future::BoxFuture;
use mongodb::bson::Bson;

use crate::{
    definition::ModelDefinition,
    derived::rollup::{self, Recomputed},
    error::Result,
    executor::Executor,
};

/// Of the document with this `_id`, if it is there.
pub(super) fn one<'a>(
    db: &'a dyn Executor,
    definition: &'static ModelDefinition,
    id: Result<Bson>,
) -> BoxFuture<'a, Result<bool>> {
    Box::pin(async move { rollup::recompute_one(definition, &db.context()?.majority(), &id?).await })
}

/// Of all documents.
pub(super) fn all<'a>(db: &'a dyn Executor, definition: &'static ModelDefinition) -> BoxFuture<'a, Result<Recomputed>> {
    Box::pin(async move { rollup::recompute_all(definition, &db.context()?.majority()).await })
}
