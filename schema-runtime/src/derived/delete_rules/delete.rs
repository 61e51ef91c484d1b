//! Deletes parents: marks each parent, looks for restricting children, handles the children, and deletes the parent.
//! Reaches the server.

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, doc};

use super::{
    act::complete,
    deleting::{Deleting, marked_by_mark, refuse_kept},
    rule::{DELETING, restricting, rules_of_parent},
};
use crate::{
    changes::Reach,
    definition::ModelDefinition,
    derived::{effect::Writer, marks::PendingMarker, statements::change_all},
    error::Result,
    executor::{Attempts, Context},
    limits::MARKED_PARENTS,
    read::Query,
};

/// Deletes the documents that the filter and the reach select, and returns the number of deleted documents. In a
/// transaction, the delete marks the documents and deletes the documents after the commit.
pub(super) async fn delete(
    context: &Context,
    definition: &'static ModelDefinition,
    filter: Document,
    reach: Reach,
    writer: Writer,
) -> Result<u64> {
    let (mut deleted, mut after, mut attempts) = (0, None, Attempts::default());
    loop {
        let mut query = Query::new(definition.collection, filter.clone());
        if reach.is_many() {
            query = query.behind(after.as_ref());
        }
        query.limit = if reach.is_many() { MARKED_PARENTS as u64 } else { 1 };
        let ids = query.all_ids(&context.newest()).await?;
        let Some(last) = ids.last().cloned() else { return Ok(deleted) };
        let is_last = !reach.is_many() || ids.len() < MARKED_PARENTS;
        let done = delete_these(context, definition, &filter, ids, writer).await?;
        deleted += done.deleted;
        if done.overtaken {
            // Another client has removed a mark. The delete looks at the matching documents again, from the first.
            after = None;
            attempts.again().await?;
        } else if is_last {
            return Ok(deleted);
        } else {
            after = Some(last);
        }
    }
}

/// The result of the delete of some parents.
struct Done {
    deleted: u64,
    /// True when some parents may still exist without a mark.
    overtaken: bool,
}

async fn delete_these(
    context: &Context,
    definition: &'static ModelDefinition,
    asked: &Document,
    ids: Vec<Bson>,
    writer: Writer,
) -> Result<Done> {
    let rules = rules_of_parent(definition);
    let restricting = restricting(&rules);
    refuse_kept(context, restricting, &ids).await?;
    let (mark, passed) = (PendingMarker::new(), restricting.is_empty());
    // A document that no longer matches the filter stays.
    let filter = doc! { "$and": [asked.clone(), { "_id": { "$in": &ids }, DELETING: { "$exists": false } }] };
    let update = doc! { "$set": { DELETING: { "mark": mark, "passed": passed } } };
    let majority = context.majority();
    let marked = change_all(&majority, definition, filter, update).await?;
    let own = Deleting { definition, rules, mark, ids: ids.clone(), passed, writer };
    let count = ids.len() as u64;
    if context.in_transaction() {
        let left = doc! { "$and": [asked.clone(), { "_id": { "$in": &ids } }] };
        let follow = |context: Context| -> BoxFuture<'static, Result<()>> {
            Box::pin(async move {
                let deleted = complete(own, &context).await?;
                let deleted = deleted + complete_others(&context, definition, &ids, writer).await?;
                if deleted < count {
                    // Parents whose mark another client has removed since the commit are deleted now.
                    (writer.delete_all)(&context, definition, left).await?;
                }
                Ok(())
            })
        };
        context.once_written(follow).await?;
        return Ok(Done { deleted: count, overtaken: false });
    }
    if marked == count {
        let deleted = complete(own, &majority).await?;
        return Ok(Done { deleted, overtaken: deleted < marked });
    }
    // Another client is already deleting some parents. This client continues the work under the marks of that client.
    let deleted = complete_others(&majority, definition, &ids, writer).await?;
    let left = Query::new(definition.collection, doc! { "$and": [asked.clone(), { "_id": { "$in": &ids } }] });
    Ok(Done { deleted, overtaken: left.exists(&majority).await? })
}

/// Continues the deletes of marked parents, whichever client has set the mark.
async fn complete_others(
    context: &Context,
    definition: &'static ModelDefinition,
    ids: &[Bson],
    writer: Writer,
) -> Result<u64> {
    let mut deleted: Result<u64> = Ok(0);
    for parents in marked_by_mark(context, definition, doc! { "_id": { "$in": ids } }, writer).await? {
        // A failure under one mark does not stop the work under the remaining marks, which may include the mark of this
        // client.
        deleted = match (deleted, complete(parents, context).await) {
            (Ok(all), Ok(more)) => Ok(all + more),
            (Err(error), _) | (_, Err(error)) => Err(error),
        };
    }
    deleted
}
