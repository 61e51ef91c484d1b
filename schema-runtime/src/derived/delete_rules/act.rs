//! Handles the children of parents that are being deleted, and deletes the parents. Reaches the server.

use futures_util::{StreamExt, future::BoxFuture, stream::FuturesUnordered};
use mongodb::bson::{Bson, Document, doc};

use super::{
    deleting::Deleting,
    rule::{Ruled, rules_of_parent},
};
use crate::{
    changes::Reach,
    definition::DeleteRule,
    error::{Error, Result},
    executor::{Attempts, Context},
    key::Key,
    limits::{DELETES_AT_A_TIME, TRANSACTION_DOCUMENTS},
    read::Query,
    transaction::transaction_of,
};

/// Completes the delete of marked parents, and returns the number of deleted parents.
///
/// # Errors
/// [`Error::DeleteRestricted`] where children keep a parent. No parent stays marked then, except for parents that
/// another client continues to delete.
pub(super) async fn complete(mut parents: Deleting, context: &Context) -> Result<u64> {
    if !parents.passed {
        parents.pass(context).await?;
    }
    if parents.ids.is_empty() {
        return Ok(0);
    }
    act(context, &parents).await
}

/// Handles the children and deletes the parents, and returns the number of deleted parents. Few children share one
/// transaction with the delete of the parents.
async fn act(context: &Context, parents: &Deleting) -> Result<u64> {
    let acting: Vec<&Ruled> = parents.rules.iter().filter(|ruled| ruled.rule != DeleteRule::Restrict).collect();
    let mut count = 0;
    for ruled in &acting {
        count += children(context, ruled, &parents.ids, TRANSACTION_DOCUMENTS + 1 - count).await?.len();
        if count > TRANSACTION_DOCUMENTS {
            let acted = act_in_chunks(context, parents, &acting).await;
            return match acted {
                Ok(()) => delete_unless_undone(context, parents).await,
                Err(error) => undone(context, parents, error).await,
            };
        }
    }
    if count == 0 {
        return delete_unless_undone(context, parents).await;
    }
    let acting = &acting;
    let write = |context: Context| -> BoxFuture<'_, Result<u64>> {
        Box::pin(async move {
            let there = parents.still_marked(&context).await?;
            for ruled in acting {
                let ids = children(&context, ruled, &there, usize::MAX).await?;
                deal_with(&context, ruled, parents, &there, ids).await?;
            }
            let marked = doc! { "$and": [{ "_id": { "$in": there } }, parents.marked()] };
            delete_parents(&context, parents, marked).await
        })
    };
    match transaction_of(context, |transaction| write(transaction.context)).await {
        Err(error) => undone(context, parents, error).await,
        acted => acted,
    }
}

/// Deletes the parents when no children are left.
async fn delete_unless_undone(context: &Context, parents: &Deleting) -> Result<u64> {
    match delete_parents(context, parents, parents.marked()).await {
        Err(error) => undone(context, parents, error).await,
        deleted => deleted,
    }
}

/// Removes the marks of the parents on a server without transactions. The children are unchanged, so the parents are
/// not deleted.
async fn undone(context: &Context, parents: &Deleting, error: Error) -> Result<u64> {
    if let Error::NotReplicaSet = error {
        parents.unmark(context).await?;
    }
    Err(error)
}

/// Handles many children, with a transaction for each thousand. The parents are deleted once no child is left.
async fn act_in_chunks(context: &Context, parents: &Deleting, acting: &[&Ruled]) -> Result<()> {
    for ruled in acting {
        let (mut before, mut attempts) = (None, Attempts::default());
        loop {
            let first = take_all(context, parents, ruled).await?;
            if first.is_none() {
                break;
            }
            if first == before {
                // Another client is writing the child at the moment.
                attempts.again().await?;
            }
            before = first;
        }
    }
    Ok(())
}

/// Handles the children that exist now, and returns the key of the first child. The `_id`s are read outside of the
/// transactions, so each transaction behaves as if another client had continued the delete. When a transaction fails,
/// the transactions under way still run to the end, with the work after their commits.
async fn take_all(context: &Context, parents: &Deleting, ruled: &Ruled) -> Result<Option<Key>> {
    let there = parents.still_marked(&context.newest()).await?;
    let mut query = Query::new(ruled.child.collection, ruled.children_of(&there));
    query.batch_size = TRANSACTION_DOCUMENTS as u32;
    let mut ids = query.ids(&context.newest()).await?;
    // The children of one delete often change the same mirrors. Children with children of their own need many more
    // transactions.
    let is_alone = !ruled.child.has_links() && rules_of_parent(ruled.child).is_empty();
    let at_a_time = if is_alone { DELETES_AT_A_TIME } else { 1 };
    let (mut first, mut failed, mut is_open) = (None, None, true);
    let mut under_way = FuturesUnordered::new();
    loop {
        while is_open && failed.is_none() && under_way.len() < at_a_time {
            match ids.next().await {
                Ok(Some(chunk)) => {
                    first = first.or_else(|| chunk.first().map(Key::of));
                    under_way.push(take_chunk(context, parents, ruled, chunk));
                }
                Ok(None) => is_open = false,
                // The cursor is lost, for example with the server. The remaining children are looked for again.
                Err(_) if first.is_some() => is_open = false,
                Err(error) => failed = Some(error),
            }
        }
        match under_way.next().await {
            Some(taken) => failed = failed.or(taken.err()),
            None => return failed.map_or(Ok(first), Err),
        }
    }
}

/// Handles some children, where the parents are still marked.
fn take_chunk<'a>(
    context: &'a Context,
    parents: &'a Deleting,
    ruled: &'a Ruled,
    ids: Vec<Bson>,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(transaction_of(context, move |transaction| {
        let ids = ids.clone();
        async move {
            let there = parents.still_marked(&transaction.context).await?;
            deal_with(&transaction.context, ruled, parents, &there, ids).await
        }
    }))
}

async fn children(context: &Context, ruled: &Ruled, parents: &[Bson], most: usize) -> Result<Vec<Bson>> {
    let mut query = Query::new(ruled.child.collection, ruled.children_of(parents));
    if most != usize::MAX {
        query.limit = most as u64;
        // The batch size is above the limit, so that all children come in one reply.
        query.batch_size = most as u32 + 1;
    }
    query.all_ids(&context.newest()).await
}

/// Applies the rule to the given children.
async fn deal_with(context: &Context, ruled: &Ruled, parents: &Deleting, there: &[Bson], ids: Vec<Bson>) -> Result<()> {
    if ids.is_empty() || there.is_empty() {
        return Ok(());
    }
    let mut filter = ruled.children_of(there);
    filter.insert("_id", doc! { "$in": ids });
    parents.writer.remove_references(context, ruled.removal(there), filter).await.map(drop)
}

async fn delete_parents(context: &Context, parents: &Deleting, marked: Document) -> Result<u64> {
    parents.writer.delete(context, parents.definition, marked, Reach::All).await
}
