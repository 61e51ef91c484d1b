//! The demands of a shard key on writes. A whole value gives the key to the filter. A write of one document has the
//! key, or the `_id`, in the filter. Only `change_shard_key` changes the key. The demands are the same on a server
//! without a cluster, so that a write that passes a test passes in production.

use mongodb::bson::{Bson, Document, RawDocument};

use super::find::Find;
use crate::{
    changes::{ChangeSet, Reach},
    definition::{ModelDefinition, ShardKeyDefinition},
    document::{equal_to, leads_to, value_at},
    error::{Error, Result, ShardingError},
    executor::Executor,
    field,
    key::Key,
    model::Model,
    read::Query,
};

/// Returns the shard key of a model; `None` for a model that is sharded by the `_id`, since the filter by a value has
/// the `_id` anyway.
pub(super) fn key_of(definition: &ModelDefinition) -> Option<&'static ShardKeyDefinition> {
    definition.shard_key.filter(|key| !key.is_id(definition))
}

/// Returns the stored paths of the fields of a shard key.
pub(super) fn paths(definition: &ModelDefinition, key: &ShardKeyDefinition) -> Vec<String> {
    key.fields.iter().map(|field| definition.stored_path(field.path)).collect()
}

/// Returns the filter of a document by `_id`, with the shard key.
pub(super) fn filter_of(definition: &ModelDefinition, id: Bson, document: &RawDocument) -> Result<Document> {
    let mut filter = field::equal("_id".to_owned(), id);
    let Some(key) = key_of(definition) else { return Ok(filter) };
    let document = Document::try_from(document).map_err(Error::encode)?;
    for path in paths(definition, key).into_iter().filter(|path| path != "_id") {
        let value = value_at(&document, &path);
        filter.extend(field::equal(path, value));
    }
    Ok(filter)
}

/// Returns an error where a router could not find the shard of a write.
pub(super) fn require(definition: &'static ModelDefinition, filter: &Document, reach: Reach) -> Result<()> {
    let Some(key) = definition.shard_key else { return Ok(()) };
    let wants_key = match reach {
        Reach::Returned => true,
        Reach::One => equal_to(filter, "_id").is_none(),
        Reach::ById | Reach::All => false,
    };
    let missing: Vec<String> =
        paths(definition, key).into_iter().filter(|path| equal_to(filter, path).is_none()).collect();
    if !wants_key || missing.is_empty() {
        return Ok(());
    }
    Err(Error::Sharding(ShardingError::KeyMissing {
        model: definition.model,
        collection: definition.collection,
        fields: missing,
    }))
}

/// Adds the shard key of the stored document to a filter by `_id`. Without a stored document the filter stays
/// unchanged.
pub(super) async fn with_stored_key(
    db: &dyn Executor,
    definition: &'static ModelDefinition,
    mut filter: Document,
) -> Result<Document> {
    let Some(key) = key_of(definition) else { return Ok(filter) };
    let paths = paths(definition, key);
    let mut query = Query::new(definition.collection, filter.clone());
    query.projection = paths.iter().map(|path| (path.clone(), Bson::Int32(1))).collect();
    if let Some(stored) = query.first(&db.context()?.newest()).await? {
        let stored = Document::try_from(&*stored).map_err(Error::encode)?;
        for path in paths.into_iter().filter(|path| path != "_id") {
            let value = value_at(&stored, &path);
            filter.extend(field::equal(path, value));
        }
    }
    Ok(filter)
}

/// Returns whether a document with the `_id` of a value has another shard key than the value: an `_id` is unique only
/// on each shard.
pub(super) async fn differs(
    db: &dyn Executor,
    definition: &'static ModelDefinition,
    id: &Bson,
    document: &RawDocument,
) -> Result<bool> {
    if key_of(definition).is_none() {
        return Ok(false);
    }
    let context = db.context()?.newest();
    let by_id = Query::by_id(definition.collection, id.clone()).exists(&context).await?;
    let of_value = Query::new(definition.collection, filter_of(definition, id.clone(), document)?);
    Ok(by_id && !of_value.exists(&context).await?)
}

/// Returns an error for a write that could put a second document with the `_id` of a value on another shard.
pub(super) fn refuse_unchecked_upsert(definition: &ModelDefinition) -> Result<()> {
    match key_of(definition) {
        None => Ok(()),
        Some(_) => Err(Error::Update {
            message: format!(
                "`{}` is sharded by another field than the `_id`, and the `_id` is unique on each shard only: write \
                 the value by `upsert` or `upsert_many`, not in a bulk",
                definition.model
            ),
        }),
    }
}

/// Returns the filter of a write of one document, where a router can send the write.
pub(super) fn of_one(definition: &'static ModelDefinition, filter: Result<Document>) -> Result<Document> {
    let filter = filter?;
    require(definition, &filter, Reach::One)?;
    Ok(filter)
}

/// Returns an error where a replacement has another shard key than the filter gives.
pub(super) fn require_same(definition: &ModelDefinition, filter: &Document, value: &Document) -> Result<()> {
    let Some(key) = key_of(definition) else { return Ok(()) };
    let differs =
        |path: &String| equal_to(filter, path).is_some_and(|given| Key::of(given) != Key::of(&value_at(value, path)));
    match paths(definition, key).into_iter().filter(|path| path != "_id").find(differs) {
        None => Ok(()),
        Some(path) => Err(Error::Update {
            message: format!(
                "the filter gives another `{path}` than the value of `{}`, and a replacement keeps the shard key: \
                 `change_shard_key` moves the document",
                definition.model
            ),
        }),
    }
}

/// Returns an error where an update changes a field of the shard key.
pub(super) fn refuse_change(definition: &ModelDefinition, changes: &ChangeSet) -> Result<()> {
    let Some(key) = definition.shard_key else { return Ok(()) };
    let paths = paths(definition, key);
    let concerns = |changed: &&str| paths.iter().any(|path| leads_to(changed, path) || leads_to(path, changed));
    // The filter of an upsert has the key.
    match changes.paths_of_stored().find(|changed| concerns(changed)) {
        None => Ok(()),
        Some(changed) => Err(Error::Update {
            message: format!(
                "`{changed}` of `{}` is part of the shard key, and the shard key chooses the shard of a document: \
                 `change_shard_key` moves the document",
                definition.model
            ),
        }),
    }
}

/// Checks, for tests, that a read gives a value, or several values, of the first field of the model's shard key. A
/// router then asks only the shards with the values. The check uses the filter of the read; no server is asked.
///
/// # Panics
/// When the read does not give the field; the message has the name of the field and the place of the call. When the
/// model has no `#[shard_key(..)]`.
#[track_caller]
pub fn assert_targeted<M: Model, T>(read: &Find<M, T>) {
    let Some(key) = M::SHARD_KEY else { panic!("`{}` has no `#[shard_key(..)]`", M::STRUCT) };
    let Some(first) = key.fields.first().map(|field| M::DEFINITION.stored_path(field.path)) else { return };
    let gives = match read.asked() {
        Ok(filter) => equal_to(filter, &first).is_some() || is_in(filter, &first),
        Err(error) => panic!("the read cannot be sent: {error}"),
    };
    assert!(
        gives,
        "a read of `{}` gives no value of `{first}`, the first field of the shard key: all shards are asked",
        M::STRUCT
    );
}

/// Returns whether a filter lists the values that a path may have.
fn is_in(filter: &Document, path: &str) -> bool {
    filter.iter().any(|(name, condition)| match condition {
        Bson::Array(all) if name == "$and" => {
            all.iter().any(|one| one.as_document().is_some_and(|one| is_in(one, path)))
        }
        Bson::Document(operators) if name == path => operators.contains_key("$in"),
        _ => false,
    })
}
