//! Children of a parent in buckets: documents that each hold many of them.

use crate::{
    definition::{BucketDefinition, ModelDefinition},
    model::Model,
};

/// A model whose values are stored in buckets (`#[model(.., bucket(size = 50))]`). The derive says it.
pub trait Bucketed: Model {
    /// What the children are of.
    type Parent: Model;
    #[doc(hidden)]
    const BUCKET: &'static BucketDefinition;
    #[doc(hidden)]
    const DOCUMENTS: &'static ModelDefinition;
}
