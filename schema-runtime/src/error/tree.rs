//! What a tree refuses, or has still to do.

use super::{Error, StoredDocument};

/// Why a write of a tree (`#[tree(..)]`) failed.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TreeError {
    /// The document would be its own ancestor. Nothing was written.
    #[error("a document of `{model}` cannot be under itself or one of its descendants")]
    Cycle {
        /// The model.
        model: &'static str,
    },

    /// The document or one of its descendants would have more ancestors than `max_depth` says. Nothing was written.
    #[error("a document of `{model}` would have {depth} ancestors, the most is {max}")]
    TooDeep {
        /// The model.
        model: &'static str,
        /// How many ancestors.
        depth: usize,
        /// The most it may have.
        max: usize,
    },

    /// The `_id` cannot be in a path: it is empty, or has a `:`. Nothing was written.
    #[error("a document of `{model}` has an `_id` that cannot be in a path: it is empty or has a `:`")]
    Id {
        /// The model.
        model: &'static str,
    },

    /// In a transaction of the caller: another move, of many documents, is not complete. Nothing is done; begin the transaction again. Where the
    /// client of that move has stopped, [`Schema::recover`](crate::schema::Schema::recover) completes it.
    #[error("a move of many documents of `{collection}` is not complete: begin the transaction again")]
    MoveInProgress {
        /// The collection.
        collection: &'static str,
    },

    /// The document is moved, and the ancestors of some of its descendants are still the old ones: the next move, or
    /// [`Schema::recover`](crate::schema::Schema::recover), completes it.
    #[error(
        "the document of `{collection}` is moved, and some of its descendants are not: {source}; `recover` completes it"
    )]
    MovePending {
        /// The collection.
        collection: &'static str,
        /// The document that the call would have given: see [`Error::document`].
        document: StoredDocument,
        /// Why.
        source: Box<Error>,
    },
}
