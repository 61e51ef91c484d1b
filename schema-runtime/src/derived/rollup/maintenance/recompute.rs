//! Reads parents and their children at one time, and corrects the parents by the difference. Reaches the server.

use std::collections::HashMap;

use mongodb::bson::{Bson, Document, doc, oid::ObjectId};

use super::compare::{Compared, Differs};
use crate::{
    definition::ModelDefinition,
    derived::{
        presence::existing,
        refused::unless_refused,
        rollup::{
            differences::{
                pipeline::{divided, or},
                same::like,
            },
            stored::path::{RollupField, RollupPath, RollupValue, paths_of_parent},
        },
    },
    document::value_at,
    error::{Result, server},
    executor::{Attempts, Context},
    key::Key,
    limits::ROLLUP_PARENTS,
    read::{Query, Walk},
    report::named,
    transaction::write_transaction,
};

/// Recomputes the rollups of a parent; `false` when the parent is missing.
pub(crate) async fn recompute_one(parent: &'static ModelDefinition, context: &Context, id: &Bson) -> Result<bool> {
    let mut found = true;
    for path in paths_of_parent(parent) {
        found &= path.recompute(context, std::slice::from_ref(id)).await? > 0;
    }
    Ok(found)
}

/// The result of a recompute of all parents of a model.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Recomputed {
    /// The number of parents.
    pub parents: u64,
    /// The number of parents that the server refused to write, as by a validator. A refused parent stays unchanged.
    pub refused: u64,
    /// The `_id`s of some refused parents.
    pub examples: Vec<Bson>,
}

/// Recomputes the rollups of all parents of a model.
pub(crate) async fn recompute_all(parent: &'static ModelDefinition, context: &Context) -> Result<Recomputed> {
    let mut done = Recomputed::default();
    let query = Query { projection: doc! { "_id": 1 }, ..Query::new(parent.collection, Document::new()) };
    let mut walk = Walk::by_id(context, query, ROLLUP_PARENTS as u32);
    while let Some(batch) = walk.next_ids().await? {
        let mut refusing: HashMap<Key, Bson> = HashMap::new();
        for path in paths_of_parent(parent) {
            if unless_refused(context, path.recompute(context, &batch).await)?.is_some() {
                continue;
            }
            for id in &batch {
                if unless_refused(context, path.recompute(context, std::slice::from_ref(id)).await)?.is_none() {
                    refusing.insert(Key::of(id), id.clone());
                }
            }
        }
        done.parents += batch.len() as u64;
        done.refused += refusing.len() as u64;
        named(&mut done.examples, refusing.into_values());
    }
    Ok(done)
}

impl RollupPath {
    /// Recomputes the given parents and returns the number of existing parents.
    pub(in crate::derived::rollup) async fn recompute(&self, context: &Context, ids: &[Bson]) -> Result<u64> {
        let mut found = 0;
        for ids in ids.chunks(self.at_a_time()) {
            found += self.recompute_some(context, ids).await?;
        }
        Ok(found)
    }

    async fn recompute_some(&self, context: &Context, ids: &[Bson]) -> Result<u64> {
        if context.in_transaction() {
            let there = existing(context, self.parent, ids).await?;
            self.recount(context, &there).await?;
            return Ok(there.len() as u64);
        }
        let (mut left, mut found, mut attempts) = (ids.to_vec(), None, Attempts::default());
        loop {
            let compared = self.compare(context, &left).await?;
            let found = *found.get_or_insert(compared.len() as u64);
            left.clear();
            for compared in compared {
                let Some(id) = compared.parent.get("_id").cloned() else { continue };
                let Differs { totals, extremes } = self.differs(&compared);
                let corrected = match (totals, compared.is_exact()) {
                    (false, _) => true,
                    (true, true) => self.correct(context, &id, &compared).await?,
                    (true, false) => self.recount_alone(context, &id).await?,
                };
                if extremes {
                    self.refresh(context, &id).await?;
                }
                if !corrected {
                    left.push(id);
                }
            }
            if left.is_empty() {
                return Ok(found);
            }
            attempts.again().await?;
        }
    }

    /// Counts the children of a parent in a transaction.
    async fn recount_alone(&self, context: &Context, id: &Bson) -> Result<bool> {
        let ids = std::slice::from_ref(id);
        let count = |context: Context| async move { self.recount(&context, ids).await };
        write_transaction(context, |transaction| count(transaction.context)).await?;
        Ok(true)
    }

    /// Reads the minimum, the maximum and the subset of a parent again, in a transaction.
    async fn refresh(&self, context: &Context, id: &Bson) -> Result<()> {
        let refresh = |context: Context| async move {
            let read = self.extremes(&context, std::slice::from_ref(id)).await?;
            let read = read.into_values().next().unwrap_or_default();
            self.change(&context, doc! { "_id": { "$eq": id } }, self.refreshed(&read)).await.map(drop)
        };
        write_transaction(context, |transaction| refresh(transaction.context)).await
    }

    async fn change(&self, context: &Context, filter: Document, pipeline: Vec<Document>) -> Result<u64> {
        let changed = context.update_with_pipeline(self.parent.collection, filter, pipeline, false).await;
        changed.map_err(|error| server::write(self.parent, error))
    }

    /// Corrects counts, sums and averages by the difference. Returns whether no concurrent recompute came between.
    /// Concurrent additions by writes stay.
    async fn correct(&self, context: &Context, id: &Bson, compared: &Compared) -> Result<bool> {
        let (mut set, mut averages) = (Document::new(), Document::new());
        let mut corrected = |name: &str, stored: Bson, right: Bson, zero: Bson| {
            let error =
                doc! { "$subtract": [{ "$literal": right }, { "$ifNull": [{ "$literal": stored }, zero.clone()] }] };
            set.insert(name, doc! { "$add": [or(name, zero), error] });
        };
        for (at, RollupField { name, value }) in self.fields.iter().enumerate() {
            let stored = |path: &str| value_at(&compared.parent, path);
            let right = |zero: &Bson| compared.expected(at).map_or_else(|| zero.clone(), |sum| like(zero, &sum));
            match value {
                RollupValue::Count => corrected(name, stored(name), compared.count(), Bson::Int64(0)),
                RollupValue::Sum { zero, .. } => corrected(name, stored(name), right(zero), zero.clone()),
                RollupValue::Avg { zero, .. } => {
                    let (count, total) = self.parts(name);
                    corrected(&count, stored(&count), compared.count(), Bson::Int64(0));
                    corrected(&total, stored(&total), right(zero), zero.clone());
                    averages.insert(*name, divided(&count, &total));
                }
                RollupValue::Subset { .. } | RollupValue::Min { .. } | RollupValue::Max { .. } => {}
            }
        }
        let name = self.state("corrected");
        let filter = doc! { "_id": { "$eq": id }, &name: value_at(&compared.parent, &name) };
        set.insert(name, ObjectId::new());
        let mut pipeline = vec![doc! { "$set": set }];
        if !averages.is_empty() {
            pipeline.push(doc! { "$set": averages });
        }
        Ok(self.change(context, filter, pipeline).await? > 0)
    }
}
