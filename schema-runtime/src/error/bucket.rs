//! The errors of bucket operations.

use mongodb::bson::Bson;

use super::{Error, text};

/// Why an operation on buckets (`#[model(.., bucket(..))]`) failed.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BucketError {
    /// A child cannot be moved from one collection to the other. The children before the failed child are moved; the
    /// failed child and all later children stay in place. Change or delete the failed child, then start the move again.
    #[error("{} is not moved to `{collection}`: {source}", text::document(id))]
    NotMoved {
        /// The target collection of the move.
        collection: &'static str,
        /// The `_id` of the child.
        id: Box<Bson>,
        /// The cause. The cause may concern the whole target bucket instead of the child.
        source: Box<Error>,
    },
}
