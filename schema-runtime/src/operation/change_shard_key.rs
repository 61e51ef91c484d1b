//! The change of a document's shard key. The change moves the document to another shard of a cluster.

use futures_util::future::BoxFuture;
use mongodb::bson::{Document, RawDocumentBuf, doc};

use super::{
    managed,
    sharded::{filter_of, key_of, paths},
    update::set_as_it_is,
    write::checked,
};
use crate::{
    definition::ModelDefinition,
    document::{get_at, value_at},
    error::{Error, Result},
    executor::Executor,
    model::{Model, OwnDocument, Updatable},
};

/// The change of the shard key of a model's documents.
pub trait ChangeShardKey: Model + OwnDocument {
    /// Gives the document of `value` the shard key of `new`, a value with the same `_id`, and leaves the document's
    /// remaining fields unchanged: one `update` command, with the whole old key in the filter. In a cluster the change
    /// moves the document to another shard, for which the driver sends a retryable write; in a transaction the move is
    /// a part of the transaction.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) when no document has the `_id`, the shard key and the `#[version]`
    /// of `value`; [`Error::Update`](crate::Error::Update) when the `_id`s differ;
    /// [`Error::DuplicateKey`](crate::Error::DuplicateKey) from the server.
    fn change_shard_key<'a>(db: &'a impl Executor, value: &Self, new: &Self) -> BoxFuture<'a, Result<()>>
    where
        Self: Updatable,
    {
        const {
            assert!(
                matches!(Self::SHARD_KEY, Some(key) if !key.is_id(Self::DEFINITION)),
                "there is no shard key to change: this model has no shard key, or is sharded by the `_id`, and the \
                 `_id` never changes"
            )
        };
        change(db, Self::DEFINITION, (checked(value), checked(new)))
    }
}

impl<M: Model + OwnDocument> ChangeShardKey for M {}

/// Gives the document of the first value the shard key of the second value.
fn change<'a>(
    db: &'a dyn Executor,
    definition: &'static ModelDefinition,
    (value, new): (Result<RawDocumentBuf>, Result<RawDocumentBuf>),
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        let read = |document: RawDocumentBuf| Document::try_from(&*document).map_err(Error::encode);
        let value = value?;
        let (old, new) = (read(value.clone())?, read(new?)?);
        if old.get("_id") != new.get("_id") {
            let message =
                format!("both values of `{}` must have the same `_id`: the `_id` never changes", definition.model);
            return Err(Error::Update { message });
        }
        let Some(key) = key_of(definition) else { return Ok(()) };
        let changed = paths(definition, key).into_iter().filter(|path| get_at(&old, path) != get_at(&new, path));
        let set: Document = changed.map(|path| (path.clone(), value_at(&new, &path))).collect();
        if set.is_empty() {
            return Ok(());
        }
        let mut filter = filter_of(definition, value_at(&old, "_id"), &value)?;
        if let Some(field) = definition.managed().version {
            filter.insert(field.name, managed::version(definition, field, &value)?);
        }
        set_as_it_is(db, definition, filter, doc! { "$set": set }).await
    })
}
