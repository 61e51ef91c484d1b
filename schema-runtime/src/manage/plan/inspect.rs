//! Reads the state of the server: collections, options and indexes. Reads the server; the parsing is pure.

use futures_util::{StreamExt, TryStreamExt, stream};
use mongodb::{
    Database,
    bson::{Bson, Document, doc},
};

use super::{
    Index, Validator,
    options::{StoredOptions, is_true, listed_options, number, without_version},
};
use crate::{
    error::{Error, Result, code::is_unauthorized},
    indexes::{is_id_index, same_document, settings},
};

/// The number of collections that are asked for indexes at a time.
const SIDE_BY_SIDE: usize = 8;

/// A collection on the server.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CollectionState {
    pub(crate) name: String,
    /// The kind and the options of the collection.
    pub(crate) options: StoredOptions,
    pub(crate) validator: Option<Validator>,
    /// All indexes except the index of `_id`.
    pub(crate) indexes: Vec<Index>,
}

/// Returns the collections with the given names that exist.
pub(crate) async fn inspect(
    names: impl Iterator<Item = &'static str>,
    database: &Database,
) -> Result<Vec<CollectionState>> {
    let names: Vec<Bson> = names.map(Bson::from).collect();
    let command = doc! { "listCollections": 1, "filter": { "name": { "$in": names } } };
    let listed = documents(database, command, "listCollections", "").await?;
    stream::iter(listed)
        .map(|listed| async move { with_indexes(&listed, database).await })
        .buffered(SIDE_BY_SIDE)
        .try_collect()
        .await
}

/// Returns a single collection; `None` when the collection does not exist.
pub(crate) async fn inspect_collection(name: &str, database: &Database) -> Result<Option<CollectionState>> {
    let command = doc! { "listCollections": 1, "filter": { "name": name } };
    match documents(database, command, "listCollections", name).await?.first() {
        Some(listed) => with_indexes(listed, database).await.map(Some),
        None => Ok(None),
    }
}

async fn with_indexes(listed: &Document, database: &Database) -> Result<CollectionState> {
    let mut state = parse_collection(listed);
    if !state.options.is_view() {
        let command = doc! { "listIndexes": &state.name };
        let indexes = documents(database, command, "listIndexes", &state.name).await?;
        state.indexes =
            indexes.iter().filter_map(|index| parse_index(index, state.options.collation.as_ref())).collect();
    }
    Ok(state)
}

async fn documents(
    database: &Database,
    command: Document,
    action: &'static str,
    collection: &str,
) -> Result<Vec<Document>> {
    let read = async { database.run_cursor_command(command).await?.try_collect().await };
    read.await.map_err(|error: mongodb::error::Error| {
        if is_unauthorized(&error) {
            Error::NotAuthorized { action, collection: collection.to_owned() }
        } else {
            error.into()
        }
    })
}

/// Parses a document of `listCollections` into the collection, without indexes.
pub(crate) fn parse_collection(listed: &Document) -> CollectionState {
    let empty = Document::new();
    let options = listed.get_document("options").unwrap_or(&empty);
    let word = |option, default: &str| options.get_str(option).unwrap_or(default).to_owned();
    let rule = options.get_document("validator").ok().filter(|rule| !rule.is_empty());
    let validator = rule.map(|rule| Validator {
        rule: rule.clone(),
        level: word("validationLevel", "strict"),
        action: word("validationAction", "error"),
    });
    let name = listed.get_str("name").unwrap_or_default().to_owned();
    let options = listed_options(listed.get_str("type").unwrap_or_default(), options);
    CollectionState { name, options, validator, indexes: Vec::new() }
}

/// Parses a document of `listIndexes`; `None` for the index of `_id`, which nobody may touch.
pub(crate) fn parse_index(listed: &Document, collection_collation: Option<&Document>) -> Option<Index> {
    let keys = settings::listed_keys(listed)?;
    if is_id_index(&keys) || is_true(listed.get("clustered")) {
        return None;
    }
    let own = listed.get_document("collation").ok().cloned().map(without_version);
    let collation = match (own, collection_collation) {
        (None, None) => None,
        (Some(own), Some(inherited)) if same_document(&own, inherited) => None,
        (Some(own), _) => Some(own),
        (None, Some(_)) => Some(doc! { "locale": "simple" }),
    };
    Some(Index {
        name: listed.get_str("name").unwrap_or_default().to_owned(),
        keys,
        unique: is_true(listed.get("unique")),
        sparse: is_true(listed.get("sparse")),
        partial: listed.get_document("partialFilterExpression").ok().cloned(),
        expire_after_seconds: listed.get("expireAfterSeconds").map(number),
        collation,
        hidden: is_true(listed.get("hidden")),
        settings: settings::listed(listed),
    })
}
