//! Applies differences to the parents, or leaves the differences, in the transaction of the children's write. Reaches
//! the server.

use std::collections::{HashMap, HashSet};

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, doc};

use super::{
    difference::Delta,
    fold::fold_soon,
    heat::{heat, hot_ones},
    tally::Tally,
};
use crate::{
    derived::{
        presence::existing,
        rollup::stored::path::RollupPath,
        statements::{of_one, send},
    },
    error::{Error, Result},
    executor::Context,
    key::Key,
    limits::{APPLYING_ATTEMPTS, ASKED_PARENTS},
    read::Query,
};

impl RollupPath {
    /// Applies differences to the parents, or leaves the differences. `coming` are parents that the same call inserts.
    ///
    /// # Errors
    /// [`Error::DanglingReference`] where a parent is missing, and the reference may not dangle.
    pub(in crate::derived::rollup) fn apply<'a>(
        &'a self,
        context: &'a Context,
        deltas: Vec<Delta>,
        coming: &'a HashSet<Key>,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            if deltas.is_empty() {
                return Ok(());
            }
            let leaves_all = context.attempt().await > APPLYING_ATTEMPTS;
            let parents = deltas.iter().map(|delta| &delta.parent);
            let hot = hot_ones(context.database(), self.parent.collection, parents);
            let (mut applied, mut left) = (Vec::new(), Vec::new());
            for (delta, is_hot) in deltas.into_iter().zip(hot) {
                if leaves_all || is_hot { left.push(delta) } else { applied.push(delta) }
            }
            let mut missing = self.missing(context, &left).await?;
            missing.extend(self.write(context, &applied).await?);
            let is_missing = |delta: &Delta| missing.contains(&Key::of(&delta.parent));
            for delta in left.iter().chain(&applied).filter(|delta| is_missing(delta)) {
                if delta.has_new && !self.may_dangle && !coming.contains(&Key::of(&delta.parent)) {
                    return Err(self.dangling(delta));
                }
            }
            left.extend(applied.into_iter().filter(is_missing));
            if left.is_empty() {
                return Ok(());
            }
            self.leave(context, &left).await?;
            let (path, parents) = (self.clone(), left.into_iter().map(|delta| delta.parent).collect());
            context.once_written(|context| Box::pin(async move { fold_soon(&context, path, parents).await })).await
        })
    }

    fn dangling(&self, delta: &Delta) -> Error {
        let place = (self.child.model, self.reference);
        Error::dangling(place, self.parent.collection, delta.parent.clone(), delta.child.clone())
    }

    /// Returns the parents of the differences that are missing.
    async fn missing(&self, context: &Context, deltas: &[Delta]) -> Result<HashSet<Key>> {
        let mut missing: HashSet<Key> = deltas.iter().map(|delta| Key::of(&delta.parent)).collect();
        let ids: Vec<Bson> = deltas.iter().map(|delta| delta.parent.clone()).collect();
        for id in existing(context, self.parent, &ids).await? {
            missing.remove(&Key::of(&id));
        }
        Ok(missing)
    }

    /// Writes the parents and returns the missing parents.
    pub(in crate::derived::rollup) async fn write(&self, context: &Context, deltas: &[Delta]) -> Result<HashSet<Key>> {
        let lost = self.losing(context, deltas, RollupPath::loses_totals).await?;
        let again = self.read_again(context, deltas).await?;
        let is_lost = |delta: &&Delta| lost.contains(&Key::of(&delta.parent));
        let statements = deltas.iter().filter(|delta| !is_lost(delta)).map(|delta| {
            let update = self.applied(delta, again.get(&Key::of(&delta.parent)));
            (&delta.parent, update)
        });
        let is_whole = self.update_parents(context, statements.collect()).await?;
        let lost: Vec<Bson> = deltas.iter().filter(is_lost).map(|delta| delta.parent.clone()).collect();
        self.recount(context, &lost).await?;
        if is_whole { Ok(HashSet::new()) } else { self.missing(context, deltas).await }
    }

    /// Sends an update for each parent, in the order of the parents' keys, so that two large writes of the same parents
    /// meet at the first common parent. Returns whether all parents existed.
    async fn update_parents(&self, context: &Context, mut updates: Vec<(&Bson, Vec<Document>)>) -> Result<bool> {
        updates.sort_by_cached_key(|(parent, _)| Key::of(parent));
        let parents: Vec<&Bson> = updates.iter().map(|(parent, _)| *parent).collect();
        let statements = updates.into_iter().map(|(parent, update)| of_one(doc! { "_id": { "$eq": parent } }, update));
        let matched = send(context, self.parent, statements.collect()).await;
        if matches!(matched, Err(Error::WriteConflict)) {
            heat(context.database(), self.parent.collection, parents.iter().copied());
        }
        Ok(matched? == parents.len() as u64)
    }

    /// Returns the parents for which the condition of the difference is true.
    async fn losing(
        &self,
        context: &Context,
        deltas: &[Delta],
        condition: fn(&RollupPath, &Delta) -> Option<Document>,
    ) -> Result<HashSet<Key>> {
        let asks = |delta: &Delta| asking(delta, condition(self, delta));
        let asked: Vec<Document> = deltas.iter().filter_map(asks).collect();
        let mut losing = HashSet::new();
        for asked in asked.chunks(ASKED_PARENTS) {
            let found = Query::new(self.parent.collection, any_of(asked)).all_ids(context).await?;
            losing.extend(found.iter().map(Key::of));
        }
        Ok(losing)
    }

    /// Reads the minimum, the maximum and the subset of each parent that has lost a value again from the children. One
    /// command asks for the parents and reads the children, unless the children are sharded.
    async fn read_again(&self, context: &Context, deltas: &[Delta]) -> Result<HashMap<Key, Tally>> {
        if self.child.shard_key.is_some() {
            let losing = self.losing(context, deltas, RollupPath::loses_extremes).await?;
            let again = deltas.iter().filter(|delta| delta.reads_again || losing.contains(&Key::of(&delta.parent)));
            let parents: Vec<Bson> = again.map(|delta| delta.parent.clone()).collect();
            return self.extremes(context, &parents).await;
        }
        let asks = |delta: &Delta| {
            let parent = doc! { "_id": { "$eq": &delta.parent } };
            if delta.reads_again { Some(parent) } else { asking(delta, self.loses_extremes(delta)) }
        };
        let asked: Vec<Document> = deltas.iter().filter_map(asks).collect();
        let mut all = HashMap::new();
        for asked in asked.chunks(ASKED_PARENTS.min(self.at_a_time())) {
            all.extend(self.looked_up(context, any_of(asked)).await?);
        }
        Ok(all)
    }

    /// Counts the children of the given parents again. The parents then count all their left differences.
    pub(in crate::derived::rollup) async fn recount(&self, context: &Context, parents: &[Bson]) -> Result<()> {
        for parents in parents.chunks(self.at_a_time()) {
            let mut counted: HashMap<Key, Tally> =
                self.tallies(context, parents).await?.into_iter().map(|(id, tally)| (Key::of(&id), tally)).collect();
            self.delete_left(context, parents).await?;
            let updates = parents.iter().map(|parent| {
                let tally = counted.remove(&Key::of(parent)).unwrap_or_default();
                (parent, self.recounted(&tally))
            });
            self.update_parents(context, updates.collect()).await?;
        }
        Ok(())
    }

    /// Counts the children of parents that are about to be inserted. The count includes the left differences of the
    /// parents.
    pub(in crate::derived::rollup) async fn adopt(&self, context: &Context, parents: &[Bson]) -> Result<Vec<Delta>> {
        let mut adopted = Vec::new();
        for parents in parents.chunks(self.at_a_time()) {
            self.delete_left(context, parents).await?;
            for (parent, plus) in self.tallies(context, parents).await? {
                adopted.push(Delta { plus, ..self.no_difference(&parent) });
            }
        }
        Ok(adopted)
    }
}

/// Returns the filter of the parent of a difference under a condition.
fn asking(delta: &Delta, condition: Option<Document>) -> Option<Document> {
    Some(doc! { "_id": { "$eq": &delta.parent }, "$expr": condition? })
}

fn any_of(filters: &[Document]) -> Document {
    match filters {
        [one] => one.clone(),
        several => doc! { "$or": several },
    }
}
