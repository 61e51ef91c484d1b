//! The errors of tree writes.

use super::{Error, StoredDocument};

/// Why a write of a tree (`#[tree(..)]`) failed.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TreeError {
    /// The document would be an ancestor of itself. Nothing was written.
    #[error("a document of `{model}` cannot be under itself or under a descendant")]
    Cycle {
        /// The model.
        model: &'static str,
    },

    /// The document or one of the document's descendants would have more ancestors than `max_depth` allows. Nothing was
    /// written.
    #[error("a document of `{model}` would have {depth} ancestors, the most is {max}")]
    TooDeep {
        /// The model.
        model: &'static str,
        /// The number of ancestors.
        depth: usize,
        /// The largest number of ancestors allowed.
        max: usize,
    },

    /// The `_id` cannot be in a path: the `_id` is empty or has a `:`. Nothing was written.
    #[error("a document of `{model}` has an `_id` that cannot be in a path: the `_id` is empty or has a `:`")]
    Id {
        /// The model.
        model: &'static str,
    },

    /// In a transaction of the caller: another move, of many documents, is not complete. Nothing is done; begin the
    /// transaction again. If the client of the other move has stopped, [`Schema::recover`](crate::Schema::recover)
    /// completes the move.
    #[error("a move of many documents of `{collection}` is not complete: begin the transaction again")]
    MoveInProgress {
        /// The collection.
        collection: &'static str,
    },

    /// The document is moved, and some of the document's descendants still have the old ancestors: the next move, or
    /// [`Schema::recover`](crate::Schema::recover), completes the work.
    #[error(
        "the document of `{collection}` is moved, and some descendants are not: {source}; `recover` completes the move"
    )]
    MovePending {
        /// The collection.
        collection: &'static str,
        /// The document that the call would have returned: see [`Error::document`].
        document: StoredDocument,
        /// The cause.
        source: Box<Error>,
    },
}
