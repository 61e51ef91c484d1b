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
    definition::ModelDefinition,
    derived::{
        effect::{Delete, OneWrite, Others},
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
        Ok(delete_to_the_end(context, definition, filter, false).await? > 0)
    })
}

/// Deletes all documents that match the filter, and returns the number.
pub(super) fn delete_many<'a>(
    db: &'a dyn Executor,
    definition: &'static ModelDefinition,
    filter: Result<Document>,
) -> BoxFuture<'a, Result<u64>> {
    Box::pin(async move { delete_to_the_end(db.context()?, definition, filter?, true).await })
}

fn delete_to_the_end<'a>(
    context: Context,
    definition: &'static ModelDefinition,
    filter: Document,
    many: bool,
) -> BoxFuture<'a, Result<u64>> {
    to_the_end(context, definition, move |context| {
        Box::pin(async move { delete(&context, definition, filter, many).await })
    })
}

/// The functions that an effect calls for further deletes and updates. No effect has acted on the delete yet.
pub(crate) const OTHERS: Others =
    Others { left: EFFECTS.len(), delete: delete_rest, delete_all, update_many: update::update_all };

/// Deletes one document that matches, or all, with all effects.
pub(super) async fn delete(
    context: &Context,
    definition: &'static ModelDefinition,
    filter: Document,
    many: bool,
) -> Result<u64> {
    delete_rest(context, definition, filter, many, EFFECTS.len()).await
}

/// Deletes with the first `left` effects of the list, in reverse order.
fn delete_rest<'a>(
    context: &'a Context,
    definition: &'static ModelDefinition,
    filter: Document,
    many: bool,
    left: usize,
) -> BoxFuture<'a, Result<u64>> {
    Box::pin(async move {
        let collection = definition.collection;
        let Some((at, delete)) = delete_of(definition, left) else {
            let deleted = match many {
                false => context.delete_one(collection, filter).await,
                true => context.delete_many(collection, filter).await,
            };
            return deleted.map_err(|error| server::write(definition, error));
        };
        let others = Others { left: at, ..OTHERS };
        if context.in_transaction() || !(EFFECTS[at].atomic)(definition)(&OneWrite::Delete) {
            return delete(context, definition, filter, many, others).await;
        }
        let in_transaction = async |filter: Document| {
            let write = |context: Context| -> BoxFuture<'_, Result<u64>> {
                let filter = filter.clone();
                Box::pin(async move { delete(&context, definition, filter, many, others).await })
            };
            atomically(context, true, write).await
        };
        if !many {
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
    Box::pin(delete(context, definition, filter, true))
}

/// Returns the last effect, among the first `left` effects, with a delete function: the position of the effect, and the function.
fn delete_of(definition: &'static ModelDefinition, left: usize) -> Option<(usize, Delete)> {
    let concerned = EFFECTS[..left].iter().enumerate().rev().filter(|(_, effect)| (effect.concerns)(definition));
    concerned.map(|(at, effect)| (at, (effect.delete)(definition))).find_map(|(at, delete)| Some((at, delete?)))
}
