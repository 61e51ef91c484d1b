//! The recomputation of the rollups of parents.

use futures_util::future::BoxFuture;
use mongodb::{Database, bson::Bson};

use crate::{
    bounds::IntoId,
    definition::ModelDefinition,
    derived::rollup::{self, Recomputed},
    error::Result,
    executor::Executor,
    model::{Model, OwnDocument, Updatable},
};

/// The recomputation of the rollups of a model's documents.
pub trait Recompute: Model + OwnDocument {
    /// Recomputes, from the children, the `#[subset(..)]` and `#[computed(..)]` fields of the document with this `_id`.
    /// Returns whether the document is stored. Writes of children update the fields automatically; `recompute` repairs
    /// data that was written without this crate.
    ///
    /// # Errors
    /// The errors of the driver.
    fn recompute<'a, K>(db: &'a Database, id: impl IntoId<Self, K>) -> BoxFuture<'a, Result<bool>>
    where
        Self: Updatable,
    {
        const {
            assert!(
                !Self::ROLLUPS.is_empty(),
                "there is nothing to recompute: this model has no `#[subset(..)]` and no `#[computed(..)]`"
            )
        };
        one(db, Self::DEFINITION, id.into_id_value())
    }

    /// Recomputes the same fields in all documents. A write that the server refuses, for example of a parent that fails
    /// the validator, is counted, and does not end the work.
    ///
    /// # Errors
    /// The errors of the driver.
    fn recompute_all<'a>(db: &'a Database) -> BoxFuture<'a, Result<Recomputed>>
    where
        Self: Updatable,
    {
        const {
            assert!(
                !Self::ROLLUPS.is_empty(),
                "there is nothing to recompute: this model has no `#[subset(..)]` and no `#[computed(..)]`"
            )
        };
        all(db, Self::DEFINITION)
    }
}

impl<M: Model + OwnDocument> Recompute for M {}

/// Recomputes the rollups of the document with the given `_id`; `false` when the document is missing.
fn one<'a>(
    db: &'a dyn Executor,
    definition: &'static ModelDefinition,
    id: Result<Bson>,
) -> BoxFuture<'a, Result<bool>> {
    Box::pin(async move { rollup::recompute_one(definition, &db.context()?.majority(), &id?).await })
}

/// Recomputes the rollups of all documents.
fn all<'a>(db: &'a dyn Executor, definition: &'static ModelDefinition) -> BoxFuture<'a, Result<Recomputed>> {
    Box::pin(async move { rollup::recompute_all(definition, &db.context()?.majority()).await })
}
