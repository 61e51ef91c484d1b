//! Upserts: a value replaces its document, or is inserted where the replace finds no document.

use std::{borrow::Borrow, collections::HashSet};

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, DateTime, RawDocument, RawDocumentBuf, doc};

use super::{
    Bulk, managed,
    replace::{self, Put},
    sharded, write,
};
use crate::{
    definition::ModelDefinition,
    error::{Error, Result, ShardingError},
    executor::{Attempts, Executor},
    field::Field,
    key::Key,
    limits::LOOKED_AT_DOCUMENTS,
    model::{Model, Updatable},
    read::Query,
};

/// The number of inserted values, and the number of values that replaced a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Upserted {
    /// The number of inserted values.
    pub inserted: u64,
    /// The number of values that replaced the document with the same `_id`.
    pub replaced: u64,
}

/// Upserts an encoded value, and returns whether the value was inserted.
pub(super) fn one<'a>(
    db: &'a dyn Executor,
    definition: &'static ModelDefinition,
    id: Result<Bson>,
    document: Result<RawDocumentBuf>,
) -> BoxFuture<'a, Result<bool>> {
    Box::pin(async move {
        let db = &db.context()?;
        let (id, document, mut attempts) = (id?, document?, Attempts::default());
        loop {
            let put = Put::new(definition, Ok(id.clone()), Ok(document.clone()));
            match replace::replace(db, put).await {
                Err(error) if is_absent(definition, &id, &error) => {}
                replaced => return replaced.map(|()| false),
            }
            refuse_another_shard_key(db, definition, &id, &document).await?;
            match write::insert(db, definition, Ok(document.clone()), DateTime::now()).await {
                // Another client was faster.
                Err(error) if error.is_duplicate_id() && !db.context()?.in_transaction() => attempts.again().await?,
                inserted => return inserted.map(|()| true),
            };
        }
    })
}

/// Upserts a value, and sets the fields of the value that are stored differently. A value whose `#[version]` says that
/// the value was stored before is not inserted.
pub(super) async fn save<M: Model>(db: &dyn Executor, value: &mut M) -> Result<()> {
    let db = &db.context()?;
    let (id, mut attempts) = (value.id().to_bson()?, Attempts::default());
    loop {
        let absent = match replace::save(db, value).await {
            Err(error) if is_absent(M::DEFINITION, &id, &error) => error,
            replaced => return replaced,
        };
        let document = write::checked(value)?;
        if let Some(field) = M::DEFINITION.managed().version
            && managed::version(M::DEFINITION, field, &document)? != 0
        {
            return Err(absent);
        }
        refuse_another_shard_key(db, M::DEFINITION, &id, &document).await?;
        match write::create(db, value).await {
            // Another client was faster.
            Err(error) if error.is_duplicate_id() && !db.context()?.in_transaction() => attempts.again().await?,
            inserted => return inserted,
        };
    }
}

/// Returns whether a replace failed because no document has the `_id`.
fn is_absent(definition: &ModelDefinition, id: &Bson, error: &Error) -> bool {
    match error {
        Error::NotFound { .. } => true,
        // The value refers to itself, and has no document yet.
        Error::DanglingReference { collection, id: gone, .. } => {
            *collection == definition.collection && Key::of(gone) == Key::of(id)
        }
        _ => false,
    }
}

/// Returns an error where a document with the `_id` has another shard key than the value.
async fn refuse_another_shard_key(
    db: &dyn Executor,
    definition: &'static ModelDefinition,
    id: &Bson,
    document: &RawDocument,
) -> Result<()> {
    let (model, collection) = (definition.model, definition.collection);
    match sharded::differs(db, definition, id, document).await? {
        true => Err(Error::Sharding(ShardingError::KeyDiffers { model, collection })),
        false => Ok(()),
    }
}

/// Upserts all values: a thousand at a time in a bulk, the values without a document as inserts. A value is upserted by
/// itself where another client inserts or deletes the document meanwhile, and where the `_id` comes twice.
pub(super) async fn many<M: Model + Updatable>(
    db: &impl Executor,
    values: impl IntoIterator<Item: Borrow<M>>,
) -> Result<Upserted> {
    let values: Vec<_> = values.into_iter().collect();
    let (mut upserted, mut conflict) = (Upserted::default(), Ok(()));
    // Each replace of a value with a version may run only once.
    let is_versioned = M::DEFINITION.managed().version.is_some();
    for values in values.chunks(LOOKED_AT_DOCUMENTS) {
        let values: Vec<&M> = values.iter().map(Borrow::borrow).collect();
        let ids: Vec<Bson> = values.iter().map(|value| value.id().to_bson()).collect::<Result<_>>()?;
        let stored = stored(db, M::DEFINITION, &ids).await?;
        let mut seen = HashSet::new();
        let (mut new, mut old, mut again) = (Vec::new(), Vec::new(), Vec::new());
        for (id, value) in ids.iter().zip(values) {
            let key = Key::of(id);
            let is_there = stored.contains(&key);
            match (seen.insert(key), is_there) {
                (true, false) => new.push(value),
                (true, true) => old.push(value),
                (false, _) => again.push(value),
            }
        }
        // Inserts go first: the replaced values may refer to the inserted values.
        let mut alone = inserted(db, &new).await?;
        upserted.inserted += (new.len() - alone.len()) as u64;
        let replaced = match is_versioned {
            true => Ok(false),
            false => all_replaced(db, &old).await,
        };
        match replaced {
            Ok(true) => upserted.replaced += old.len() as u64,
            // A replace by itself may repeat a stored reference whose target is missing.
            Ok(false) | Err(Error::DanglingReference { .. }) => alone.extend(old),
            Err(error) => return Err(error),
        }
        for value in alone.into_iter().chain(again) {
            match one(db, M::DEFINITION, value.id().to_bson(), write::checked(value)).await {
                Ok(true) => upserted.inserted += 1,
                Ok(false) => upserted.replaced += 1,
                Err(error @ (Error::VersionConflict { .. } | Error::ImmutableField { .. })) => {
                    conflict = conflict.and(Err(error));
                }
                Err(error) => return Err(error),
            }
        }
    }
    conflict.map(|()| upserted)
}

/// Inserts the values, and returns the values that another client has inserted meanwhile.
async fn inserted<'v, M: Model + Updatable>(db: &impl Executor, values: &[&'v M]) -> Result<Vec<&'v M>> {
    let bulk = Bulk::<M>::new().unordered().insert_many(values.iter().copied());
    let report = bulk.execute(db).await?;
    let refused: Vec<usize> = report.failures().map(|(at, _)| at).collect();
    // The insert of a single value makes another slug.
    let is_again = |error: &Error| match error {
        Error::DuplicateKey { .. } => error.is_duplicate_id() || M::DEFINITION.has_slugs(),
        _ => false,
    };
    let others_were_faster = report.failures().all(|(_, error)| is_again(error));
    if !others_were_faster || report.failure().is_some() {
        report.complete()?;
    }
    Ok(refused.into_iter().map(|at| values[at]).collect())
}

/// Replaces the documents by the values, and returns whether all documents existed.
async fn all_replaced<M: Model + Updatable>(db: &impl Executor, values: &[&M]) -> Result<bool> {
    let bulk = values.iter().fold(Bulk::<M>::new().unordered(), |bulk, value| bulk.replace(value));
    let report = bulk.execute(db).await?;
    let is_immutable = |(_, error): (usize, &Error)| matches!(error, Error::ImmutableField { .. });
    if report.failures().next().is_some() || report.failure().is_some() {
        if report.failure().is_some() || !report.failures().all(is_immutable) {
            report.complete()?;
        }
        return Ok(false);
    }
    Ok(values.is_empty() || report.counts.unmatched == Some(0))
}

/// Returns the given `_id`s that are stored.
fn stored<'a>(
    db: &'a dyn Executor,
    definition: &'static ModelDefinition,
    ids: &'a [Bson],
) -> BoxFuture<'a, Result<HashSet<Key>>> {
    Box::pin(async move {
        let mut query = Query::by_ids(definition.collection, ids);
        query.projection = doc! { "_id": 1 };
        let found = query.all(&db.context()?.newest()).await?;
        Ok(found.iter().filter_map(|document| document.get("_id")).map(Key::of).collect())
    })
}
