//! What buckets refuse.

use mongodb::bson::Bson;

use super::{Error, text};

/// Why an operation on buckets (`#[model(.., bucket(..))]`) failed.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BucketError {
    /// A child cannot be moved from one collection to the other. Those before it are moved, it and those behind it are where they were:
    /// change or delete it, and begin again.
    #[error("{} is not moved to `{collection}`: {source}", text::document(id))]
    NotMoved {
        /// The collection to which it should go.
        collection: &'static str,
        /// The `_id` of the child.
        id: Box<Bson>,
        /// Why: of a bucket it may be what is wrong with the whole of it.
        source: Box<Error>,
    },
}
