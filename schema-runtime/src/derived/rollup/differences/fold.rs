//! Adds left differences to their parents, many in one transaction. Reaches the server.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, DateTime, Document, RawDocumentBuf, doc};

use super::{
    difference::Delta,
    left::{DELTAS, left_at, parent_of_left},
};
use crate::{
    codec,
    derived::rollup::stored::path::RollupPath,
    error::{Error, Result, server},
    executor::{Context, PerClient, Statement, go_on, in_commands},
    key::Key,
    limits::{DIFFERENCE_AGE, FOLDED_DIFFERENCES, FOLDED_PARENTS, ROLLUP_PARENTS},
    read::Query,
    transaction::write_transaction,
};

/// The parents that this process folds, each with a flag for differences that were left in the meantime.
#[derive(Default)]
struct Folding(Mutex<HashMap<(String, String, Key), bool>>);

static FOLDING: PerClient<Folding> = PerClient::new();

/// Folds the left differences of the given parents, beside the caller. A parent that the process folds already is
/// folded once more.
pub(in crate::derived::rollup) async fn fold_soon(
    context: &Context,
    path: RollupPath,
    parents: Vec<Bson>,
) -> Result<()> {
    let of_client = FOLDING.of(context.database()).await?;
    let name = context.database().name().to_owned();
    let key = |parent: &Bson| (name.clone(), path.name.clone(), Key::of(parent));
    let mut begun = Vec::new();
    {
        let mut folding = of_client.shared.0.lock().unwrap_or_else(PoisonError::into_inner);
        for parent in parents {
            match folding.get_mut(&key(&parent)) {
                Some(again) => *again = true,
                None => {
                    folding.insert(key(&parent), false);
                    begun.push(parent);
                }
            }
        }
    }
    if begun.is_empty() {
        return Ok(());
    }
    let context_of_task = context.in_background();
    let task: BoxFuture<'static, ()> = Box::pin(async move {
        let context = context_of_task;
        while !begun.is_empty() {
            for parents in begun.chunks(FOLDED_PARENTS) {
                if let Err(error) = path.fold(&context, parents).await {
                    tracing::debug!(%error, "differences are left to the next write of the parents and to recover");
                }
            }
            let mut folding = of_client.shared.0.lock().unwrap_or_else(PoisonError::into_inner);
            let key = |parent: &Bson| (context.database().name().to_owned(), path.name.clone(), Key::of(parent));
            begun.retain(|parent| match folding.get_mut(&key(parent)) {
                Some(again) if *again => {
                    *again = false;
                    true
                }
                _ => {
                    folding.remove(&key(parent));
                    false
                }
            });
        }
    });
    go_on(context.database(), task);
    Ok(())
}

/// Folds differences that concurrent writes have left for inserted parents after the insert looked for differences.
/// Runs beside the caller.
pub(in crate::derived::rollup) fn fold_of_inserted(context: &Context, paths: Vec<RollupPath>, parents: Vec<Bson>) {
    let context_of_task = context.in_background();
    let task: BoxFuture<'static, ()> = Box::pin(async move {
        for path in paths {
            if let Err(error) = path.fold_if_left(&context_of_task, &parents).await {
                tracing::debug!(%error, "differences are left to the next write of the parents and to recover");
            }
        }
    });
    go_on(context.database(), task);
}

impl RollupPath {
    async fn fold_if_left(&self, context: &Context, parents: &[Bson]) -> Result<()> {
        let context = &context.newest();
        let mut having = Vec::new();
        for parents in parents.chunks(ROLLUP_PARENTS) {
            having.extend(self.may_have_left(context, parents, None).await?);
        }
        for parents in having.chunks(FOLDED_PARENTS) {
            let mut left = Query::new(DELTAS, self.left_of(parents));
            left.projection = doc! { "_id": 1 };
            let found = left.all(context).await?;
            let mut of_parents: Vec<Bson> = found.iter().filter_map(parent_of_left).cloned().collect();
            of_parents.dedup();
            if !of_parents.is_empty() {
                fold_soon(context, self.clone(), of_parents).await?;
            }
        }
        Ok(())
    }

    /// Adds all left differences of the given parents and returns the number of differences.
    pub(in crate::derived::rollup) fn fold<'a>(
        &'a self,
        context: &'a Context,
        parents: &'a [Bson],
    ) -> BoxFuture<'a, Result<u64>> {
        Box::pin(async move {
            let mut folded = 0;
            loop {
                let (found, done) = write_transaction(context, |transaction| async move {
                    self.fold_some(&transaction.context, parents).await
                })
                .await?;
                folded += done;
                if found < FOLDED_DIFFERENCES {
                    return Ok(folded);
                }
            }
        })
    }

    /// Folds some differences in a transaction. Returns the number of differences found, and the number folded or
    /// dropped.
    async fn fold_some(&self, context: &Context, parents: &[Bson]) -> Result<(usize, u64)> {
        let left = self.find_left(context, parents, FOLDED_DIFFERENCES).await?;
        let found = left.len();
        let mut by_parent: HashMap<Key, (Bson, Vec<Document>)> = HashMap::new();
        for left in left {
            let Some(parent) = parent_of_left(&left).cloned() else { continue };
            by_parent.entry(Key::of(&parent)).or_insert_with(|| (parent, Vec::new())).1.push(left);
        }
        let (mut sums, mut documents) = (Vec::new(), Vec::new());
        for (parent, left) in by_parent.into_values() {
            sums.push(self.sum_of_left(parent, &left));
            documents.push(left);
        }
        let missing = self.write(context, &sums).await?;
        let (mut done, mut kept) = (Vec::new(), Vec::new());
        for (sum, left) in sums.iter().zip(documents) {
            match missing.contains(&Key::of(&sum.parent)) {
                false => done.extend(left),
                true => self.merge(sum, left, &mut done, &mut kept)?,
            }
        }
        let ids: Vec<Bson> = done.iter().filter_map(|left| left.get("_id").cloned()).collect();
        if !ids.is_empty() {
            let deleted = context.delete_many(DELTAS, doc! { "_id": { "$in": ids } }).await;
            deleted.map_err(|error| server::write(self.parent, error))?;
        }
        for statements in in_commands(kept.into_iter().map(Ok))? {
            let written = context.update_all(DELTAS, statements, true).await;
            written.and_then(|written| written.complete()).map_err(|error| server::write(self.parent, error))?;
        }
        Ok((found, done.len() as u64))
    }

    /// Merges the left differences of a missing parent: one difference remains, or none when all are old.
    fn merge(
        &self,
        sum: &Delta,
        mut left: Vec<Document>,
        done: &mut Vec<Document>,
        kept: &mut Vec<RawDocumentBuf>,
    ) -> Result<()> {
        left.sort_by_key(left_at);
        let Some(newest) = left.pop() else { return Ok(()) };
        if left_at(&newest).saturating_add(DIFFERENCE_AGE) < DateTime::now().timestamp_millis() {
            done.push(newest);
        } else if !left.is_empty() {
            let id = newest.get("_id").cloned().unwrap_or(Bson::Null);
            let statement = Statement::new(doc! { "_id": { "$eq": id } }, doc! { "$set": self.left(sum) }, false);
            kept.push(codec::encode(&statement).map_err(Error::encode)?);
        }
        done.append(&mut left);
        Ok(())
    }
}
