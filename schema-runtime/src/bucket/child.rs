//! Updates and deletes of one child, found by `_id` in any bucket. A write that matches nothing looks again: another
//! client may have moved the child to another bucket while the write waited.

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, RawDocumentBuf, doc};

use super::layout::{COUNT, ITEM_ID, ITEMS, Layout};
use crate::{
    error::{Error, Result, server},
    executor::{Attempts, Context, Executor, Outcome, UpdateRequest},
    field::{self, ChangeList},
    operation::ItemUpdate,
    read::Query,
};

/// Changes a child.
pub(super) fn update<'a>(
    db: &'a dyn Executor,
    layout: Layout,
    id: Result<Bson>,
    changes: ChangeList,
) -> BoxFuture<'a, Result<Outcome>> {
    Box::pin(async move {
        let (id, context) = (id?, db.context()?.newest());
        let change = ItemUpdate::new(layout.model, changes, ITEMS, &id)?;
        let filter = having(&id, change.condition.clone());
        let mut attempts = Attempts::default();
        loop {
            let (update, array_filters) = (change.update.clone(), change.array_filters.clone());
            let outcome = send(
                &context,
                &layout,
                UpdateRequest { filter: filter.clone(), update, array_filters, ..UpdateRequest::default() },
            );
            let outcome = outcome.await?;
            if outcome.found() {
                return Ok(outcome);
            }
            let Some(child) = find(&context, &layout, &id).await? else { return Err(Error::not_found(layout.model)) };
            change.refused_by(&child)?;
            // In a transaction no other client moves the child, and a condition that fails now fails in every attempt.
            if context.in_transaction() || !is_it_now(&context, &layout, &filter).await? {
                return Err(Error::not_found(layout.model));
            }
            attempts.again().await?;
        }
    })
}

/// Deletes a child. Returns whether the child existed.
pub(super) fn delete<'a>(db: &'a dyn Executor, layout: Layout, id: Result<Bson>) -> BoxFuture<'a, Result<bool>> {
    Box::pin(async move {
        let (id, context) = (id?, db.context()?.newest());
        let mut attempts = Attempts::default();
        loop {
            let filter = having(&id, Document::new());
            let update = doc! { "$pull": { ITEMS: { "_id": { "$eq": &id } } }, "$inc": { COUNT: -1 } };
            if send(&context, &layout, UpdateRequest { filter, update, ..UpdateRequest::default() }).await?.found() {
                return Ok(true);
            }
            if context.in_transaction() || find(&context, &layout, &id).await?.is_none() {
                return Ok(false);
            }
            attempts.again().await?;
        }
    })
}

/// Returns the filter for the bucket with the child of this `_id`, when the condition holds for the child.
fn having(id: &Bson, condition: Document) -> Document {
    let mut filter = field::equal(ITEM_ID.to_owned(), id.clone());
    if !condition.is_empty() {
        let child = field::and(doc! { "_id": { "$eq": id } }, condition);
        filter.insert(ITEMS, doc! { "$elemMatch": child });
    }
    filter
}

async fn send(context: &Context, layout: &Layout, sent: UpdateRequest) -> Result<Outcome> {
    let updated = context.update_one(layout.collection(), sent).await;
    updated.map(Outcome::from).map_err(|error| server::write(layout.model, error))
}

/// Returns the child with this `_id` as a document; `None` when no bucket has the child.
pub(super) async fn find(context: &Context, layout: &Layout, id: &Bson) -> Result<Option<RawDocumentBuf>> {
    let mut query = Query::new(layout.collection(), field::equal(ITEM_ID.to_owned(), id.clone()));
    // The element of the child, and the fields beside the array.
    query.projection = layout.chain_fields().into_iter().map(|name| (name.to_owned(), Bson::Int32(1))).collect();
    query.projection.insert(ITEMS, doc! { "$elemMatch": { "_id": { "$eq": id } } });
    match query.first(context).await? {
        Some(bucket) => Ok(layout.children(&bucket)?.into_iter().next()),
        None => Ok(None),
    }
}

/// Returns whether a bucket matches the filter.
async fn is_it_now(context: &Context, layout: &Layout, filter: &Document) -> Result<bool> {
    Query::new(layout.collection(), filter.clone()).exists(context).await
}
