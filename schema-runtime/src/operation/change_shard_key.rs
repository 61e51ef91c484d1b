//! The change of a document's shard key. The change moves the document to another shard of a cluster.

use futures_util::future::BoxFuture;
use mongodb::bson::{Document, RawDocumentBuf, doc};

use super::{
    managed,
    sharded::{filter_of, key_of, paths},
    update::set_as_it_is,
};
use crate::{
    definition::ModelDefinition,
    document::{get_at, value_at},
    error::{Error, Result},
    executor::Executor,
};

/// Gives the document of the first value the shard key of the second value.
pub(super) fn change<'a>(
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
