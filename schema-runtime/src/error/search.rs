//! The errors of search indexes and vector indexes.

use std::time::Duration;

/// Why a search index or a vector index is not ready.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The server refused a command. Nothing was changed.
    #[error("`{command}` of the index `{index}` of `{collection}` was refused: {message}")]
    Refused {
        /// The collection.
        collection: String,
        /// The name of the index.
        index: String,
        /// The command.
        command: &'static str,
        /// The server's message.
        message: String,
    },

    /// The server has the definition, and could not build the index.
    #[error("the build of the search index `{index}` of `{collection}` has failed: {message}")]
    BuildFailed {
        /// The collection.
        collection: String,
        /// The name of the index.
        index: String,
        /// The server's message; empty when the server says nothing.
        message: String,
    },

    /// The server was still at work at the end of the wait, and goes on.
    #[error("the search index `{index}` of `{collection}` is not ready after {waited:?}: the status is {status}")]
    NotReady {
        /// The collection.
        collection: String,
        /// The name of the index.
        index: String,
        /// The status of the index, in the server's words; `MISSING` for an index that the server does not list.
        status: String,
        /// The length of the wait.
        waited: Duration,
    },
}
