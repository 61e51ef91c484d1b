//! Deletes, with the effects around the deletes.

mod by_id;

use futures_util::future::BoxFuture;
use mongodb::bson::Document;

use by_id::DeleteById;

use super::{
    atomic::{atomically, to_the_end},
    lane,
    parts::InParts,
    update,
};
use crate::{
    changes::Reach,
    definition::ModelDefinition,
    derived::{
        effect::{Delete, Demand, Effect, EffectList, WriteView, Writer},
        effects::EFFECTS,
    },
    error::{Result, server},
    executor::{Context, Executor},
};

/// Deletes a document that matches the filter, and returns whether a document matched.
pub(super) fn delete_one<'a>(
    db: &'a dyn Executor,
    definition: &'static ModelDefinition,
    filter: Result<Document>,
) -> BoxFuture<'a, Result<bool>> {
    Box::pin(async move {
        let (context, filter) = (db.context()?, filter?);
        if let Some(delete) = DeleteById::new(&context, definition, &filter) {
            return Ok(lane::run(&context, definition, delete).await?.matched > 0);
        }
        Ok(delete_to_the_end(context, definition, filter, Reach::One).await? > 0)
    })
}

/// Deletes all documents that match the filter, and returns the number.
pub(super) fn delete_many<'a>(
    db: &'a dyn Executor,
    definition: &'static ModelDefinition,
    filter: Result<Document>,
) -> BoxFuture<'a, Result<u64>> {
    Box::pin(async move { delete_to_the_end(db.context()?, definition, filter?, Reach::All).await })
}

fn delete_to_the_end<'a>(
    context: Context,
    definition: &'static ModelDefinition,
    filter: Document,
    reach: Reach,
) -> BoxFuture<'a, Result<u64>> {
    to_the_end(context, definition, move |context| {
        Box::pin(async move { delete(&context, definition, filter, reach).await })
    })
}

/// The functions that an effect calls for further deletes and updates. No effect has acted on the delete yet.
pub(crate) const WRITER: Writer =
    Writer { left: EFFECTS, delete: delete_rest, delete_all, update_many: update::update_all };

/// Deletes the documents that the filter and the reach select, with all effects.
pub(super) async fn delete(
    context: &Context,
    definition: &'static ModelDefinition,
    filter: Document,
    reach: Reach,
) -> Result<u64> {
    delete_rest(context, definition, filter, reach, EFFECTS).await
}

/// Deletes with the given effects, in reverse order.
fn delete_rest<'a>(
    context: &'a Context,
    definition: &'static ModelDefinition,
    filter: Document,
    reach: Reach,
    left: EffectList,
) -> BoxFuture<'a, Result<u64>> {
    Box::pin(async move {
        let collection = definition.collection;
        let Some((effect, delete, left)) = delete_of(definition, left) else {
            let deleted = match reach.is_many() {
                false => context.delete_one(collection, filter).await,
                true => context.delete_many(collection, filter).await,
            };
            return deleted.map_err(|error| server::write(definition, error));
        };
        let writer = Writer { left, ..WRITER };
        if context.in_transaction() || effect.demands(definition)(&WriteView::Delete) != Demand::Transaction {
            return delete(context, definition, filter, reach, writer).await;
        }
        let in_transaction = async |filter: Document| {
            let write = |context: Context| -> BoxFuture<'_, Result<u64>> {
                let filter = filter.clone();
                Box::pin(async move { delete(&context, definition, filter, reach, writer).await })
            };
            atomically(context, true, write).await
        };
        if !reach.is_many() {
            return in_transaction(filter).await;
        }
        let (mut parts, mut deleted) = (InParts::new(definition, &filter), 0);
        while let Some(part) = parts.next(context).await? {
            deleted += in_transaction(part).await?;
        }
        Ok(deleted)
    })
}

/// Deletes all documents that match, as a part of another delete.
fn delete_all<'a>(
    context: &'a Context,
    definition: &'static ModelDefinition,
    filter: Document,
) -> BoxFuture<'a, Result<u64>> {
    Box::pin(delete(context, definition, filter, Reach::All))
}

/// Returns the last of the given effects with a delete function: the effect, the function, and the effects that are
/// left.
fn delete_of(
    definition: &'static ModelDefinition,
    left: EffectList,
) -> Option<(&'static dyn Effect, Delete, EffectList)> {
    let (last, left) = left.split_last()?;
    let delete = if last.concerns(definition) { last.delete(definition) } else { None };
    match delete {
        Some(delete) => Some((*last, delete, left)),
        None => delete_of(definition, left),
    }
}
