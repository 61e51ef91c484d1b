//! Reads the search indexes of a collection.

use futures_util::TryStreamExt;
use mongodb::{
    Database,
    bson::{Bson, Document, doc},
};

use crate::{
    error::{
        Error, Result,
        code::{NAMESPACE_NOT_FOUND, NO_SEARCH, command_code, is_unauthorized},
    },
    indexes::{SearchIndex, search::SEARCH},
};

/// The answer of a server to the question for search indexes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Listed {
    /// The server has no search.
    Unavailable,
    /// The search indexes of the collection.
    Indexes(Vec<StoredSearchIndex>),
}

/// A search index on the server.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StoredSearchIndex {
    pub(crate) index: SearchIndex,
    /// The status, in the server's words: `PENDING`, `BUILDING`, `READY`, `STALE`, `FAILED`, `DELETING`.
    pub(crate) status: String,
    /// True when searches may use the index.
    pub(crate) queryable: bool,
    /// The server's message about the status; often empty.
    pub(crate) message: String,
}

impl StoredSearchIndex {
    pub(crate) fn is_failed(&self) -> bool {
        self.status == "FAILED"
    }

    pub(crate) fn is_dropped(&self) -> bool {
        matches!(self.status.as_str(), "DELETING" | "DOES_NOT_EXIST")
    }

    /// Returns whether searches use the newest definition.
    pub(crate) fn is_ready(&self) -> bool {
        self.queryable && matches!(self.status.as_str(), "READY" | "STALE")
    }
}

/// Returns the search indexes of a collection.
///
/// # Errors
/// [`Error::NotAuthorized`] when the user may not list search indexes.
pub(crate) async fn list(collection: &str, database: &Database) -> Result<Listed> {
    let command = doc! { "aggregate": collection, "pipeline": [{ "$listSearchIndexes": {} }], "cursor": {} };
    let read = async { database.run_cursor_command(command).await?.try_collect::<Vec<Document>>().await };
    match read.await {
        Ok(listed) => Ok(Listed::Indexes(listed.iter().map(parse).collect())),
        Err(error) if command_code(&error).is_some_and(|code| NO_SEARCH.contains(&code)) => Ok(Listed::Unavailable),
        Err(error) if command_code(&error) == Some(NAMESPACE_NOT_FOUND) => Ok(Listed::Indexes(Vec::new())),
        Err(error) if is_unauthorized(&error) => {
            Err(Error::NotAuthorized { action: "listSearchIndexes", collection: collection.to_owned() })
        }
        Err(error) => Err(error.into()),
    }
}

/// Parses a document of `$listSearchIndexes`.
fn parse(listed: &Document) -> StoredSearchIndex {
    let text = |name| listed.get_str(name).unwrap_or_default().to_owned();
    let kind = match text("type") {
        kind if kind.is_empty() => SEARCH.to_owned(),
        kind => kind,
    };
    let definition = listed.get_document("latestDefinition").cloned().unwrap_or_default();
    let queryable = listed.get("queryable").and_then(Bson::as_bool).unwrap_or_default();
    let index = SearchIndex { name: text("name"), kind, definition };
    StoredSearchIndex { index, status: text("status"), queryable, message: text("message") }
}
