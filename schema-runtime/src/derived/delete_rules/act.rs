//! What becomes of the children of parents that are deleted, and the delete itself. Reaches the server.

use futures_util::{StreamExt, future::BoxFuture, stream::FuturesUnordered};
use mongodb::bson::{Bson, Document, doc};

use super::{
    deleting::Deleting,
    rule::{Ruled, rules_of_parent},
};
use crate::{
    definition::DeleteRule,
    error::{Error, Result},
    executor::{Attempts, Context},
    key::Key,
    limits::{DELETES_AT_A_TIME, TRANSACTION_DOCUMENTS},
    read::Query,
    transaction::transaction,
};

/// All that is left to do for parents that are marked: how many are deleted then.
///
/// # Errors
/// [`Error::DeleteRestricted`] where children keep one of them: none is marked any more then, but those that another client has gone on
/// with.
pub(super) async fn complete(mut parents: Deleting, context: &Context) -> Result<u64> {
    if !parents.passed {
        parents.pass(context).await?;
    }
    if parents.ids.is_empty() {
        return Ok(0);
    }
    act(context, &parents).await
}

/// Deals with the children, all in one transaction with the delete of their parents where they are not many, and deletes the parents: how
/// many.
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
    match transaction(context.database(), |transaction| write(transaction.context)).await {
        Err(error) => undone(context, parents, error).await,
        acted => acted,
    }
}

/// Deletes the parents, of which there are no children any more.
async fn delete_unless_undone(context: &Context, parents: &Deleting) -> Result<u64> {
    match delete_parents(context, parents, parents.marked()).await {
        Err(error) => undone(context, parents, error).await,
        deleted => deleted,
    }
}

/// A server without transactions has done nothing to the children: their parents are not deleted after all.
async fn undone(context: &Context, parents: &Deleting, error: Error) -> Result<u64> {
    if let Error::NotReplicaSet = error {
        parents.unmark(context).await?;
    }
    Err(error)
}

/// The same for many children, a transaction for each thousand: the parents go when no child is found any more.
async fn act_in_chunks(context: &Context, parents: &Deleting, acting: &[&Ruled]) -> Result<()> {
    for ruled in acting {
        let (mut before, mut attempts) = (None, Attempts::default());
        loop {
            let first = take_all(context, parents, ruled).await?;
            if first.is_none() {
                break;
            }
            if first == before {
                // Another client has it just now.
                attempts.again().await?;
            }
            before = first;
        }
    }
    Ok(())
}

/// Deals with the children that are found now: the first of them. Their `_id`s are read beside the transactions: each of those is as if
/// another client had gone on with the delete. What was begun when one fails is carried to its end, with what follows its commit.
async fn take_all(context: &Context, parents: &Deleting, ruled: &Ruled) -> Result<Option<Key>> {
    let there = parents.still_marked(&context.newest()).await?;
    let mut query = Query::new(ruled.child.collection, ruled.children_of(&there));
    query.batch_size = TRANSACTION_DOCUMENTS as u32;
    let mut ids = query.ids(&context.newest()).await?;
    // Those of one delete may well change the same mirrors, and children of children are many transactions again.
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
                // The cursor is lost, as with its server: what is left is looked for again.
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

/// Deals with some children, where their parents are still marked.
fn take_chunk<'a>(
    context: &'a Context,
    parents: &'a Deleting,
    ruled: &'a Ruled,
    ids: Vec<Bson>,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(transaction(context.database(), move |transaction| {
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
        // One more than there can be, so that they come in one reply.
        query.batch_size = most as u32 + 1;
    }
    query.all_ids(&context.newest()).await
}

/// What the rule says of these children.
async fn deal_with(context: &Context, ruled: &Ruled, parents: &Deleting, there: &[Bson], ids: Vec<Bson>) -> Result<()> {
    if ids.is_empty() || there.is_empty() {
        return Ok(());
    }
    let mut filter = ruled.children_of(there);
    filter.insert("_id", doc! { "$in": ids });
    parents.others.take(context, ruled.taking(there), filter).await.map(drop)
}

async fn delete_parents(context: &Context, parents: &Deleting, marked: Document) -> Result<u64> {
    parents.others.delete(context, parents.definition, marked, true).await
}
