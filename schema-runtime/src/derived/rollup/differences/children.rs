//! Values of children, read from the server.

use std::collections::HashMap;

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, doc};

use super::tally::Tally;
use crate::{
    derived::rollup::stored::path::{RollupField, RollupPath, RollupValue},
    error::Result,
    executor::Context,
    key::Key,
    read::Aggregate,
};

impl RollupPath {
    /// Returns the pipeline that groups the children of the given parents: one group for each parent with a child.
    pub(in crate::derived::rollup) fn grouped(&self, parents: &[Bson]) -> Vec<Document> {
        let mut group = doc! { "_id": format!("${}", self.reference) };
        group.extend(self.accumulators());
        vec![doc! { "$match": { self.reference: { "$in": parents } } }, doc! { "$group": group }]
    }

    /// Reads the sums of the children of the given parents, for each parent with a child.
    pub(in crate::derived::rollup) fn tallies<'a>(
        &'a self,
        context: &'a Context,
        parents: &'a [Bson],
    ) -> BoxFuture<'a, Result<Vec<(Bson, Tally)>>> {
        Box::pin(async move {
            let groups = self.all(context, self.grouped(parents)).await?;
            let tallies = groups.into_iter().filter_map(|group| Some((group.get("_id")?.clone(), self.tally(&group))));
            Ok(tallies.collect())
        })
    }

    /// Reads the minimum, the maximum and the subset of the children of the given parents, each by an index.
    pub(in crate::derived::rollup) fn extremes<'a>(
        &'a self,
        context: &'a Context,
        parents: &'a [Bson],
    ) -> BoxFuture<'a, Result<HashMap<Key, Tally>>> {
        Box::pin(async move {
            let mut all = HashMap::new();
            if !self.fields.iter().any(|field| field.value.is_extreme()) {
                return Ok(all);
            }
            if self.child.shard_key.is_some() {
                for parent in parents {
                    all.insert(Key::of(parent), self.extremes_of_one(context, parent).await?);
                }
                return Ok(all);
            }
            for parents in parents.chunks(self.at_a_time()) {
                all.extend(self.looked_up(context, doc! { "_id": { "$in": parents } }).await?);
            }
            Ok(all)
        })
    }

    /// Reads the minimum, the maximum and the subset of the children of the parents that match the filter, by one
    /// command. A transaction allows no `$lookup` in a sharded collection.
    pub(in crate::derived::rollup) async fn looked_up(
        &self,
        context: &Context,
        parents: Document,
    ) -> Result<HashMap<Key, Tally>> {
        let mut pipeline = vec![doc! { "$match": parents }, doc! { "$project": { "_id": 1 } }];
        for (at, read) in self.reads().into_iter().enumerate() {
            let Some(read) = read else { continue };
            pipeline.push(doc! { "$lookup": {
                "from": self.child.collection, "localField": "_id", "foreignField": self.reference,
                "pipeline": read, "as": format!("f{at}"),
            } });
        }
        let found = Aggregate { collection: Some(self.parent.collection), pipeline }.all(context).await?;
        let tally = |parent: Document| {
            let read = |at: usize| match parent.get(format!("f{at}")) {
                Some(Bson::Array(children)) => children.iter().filter_map(Bson::as_document).cloned().collect(),
                _ => Vec::new(),
            };
            let values = (0..self.fields.len()).map(|at| self.values_of(at, read(at))).collect();
            Some((Key::of(parent.get("_id")?), Tally { count: 0, values }))
        };
        Ok(found.into_iter().filter_map(tally).collect())
    }

    async fn extremes_of_one(&self, context: &Context, parent: &Bson) -> Result<Tally> {
        let mut values = vec![Vec::new(); self.fields.len()];
        for (at, read) in self.reads().into_iter().enumerate() {
            let Some(read) = read else { continue };
            let pipeline = [doc! { "$match": { self.reference: { "$eq": parent } } }].into_iter().chain(read).collect();
            values[at] = self.values_of(at, self.all(context, pipeline).await?);
        }
        Ok(Tally { count: 0, values })
    }

    /// Returns the stages that read the minimum, the maximum and the subset from the children of one parent, by the
    /// position of the field.
    fn reads(&self) -> Vec<Option<Vec<Document>>> {
        let read = |field: &RollupField| {
            let (filter, sort, keep, fields) = match &field.value {
                RollupValue::Subset { keep, sort, elements } => {
                    let fields = elements.iter().map(|name| ((*name).to_owned(), Bson::Int32(1))).collect();
                    (Document::new(), sort.clone(), *keep, fields)
                }
                RollupValue::Min { from } => {
                    (doc! { *from: { "$ne": null } }, doc! { *from: 1 }, 1, doc! { "_id": 0, *from: 1 })
                }
                RollupValue::Max { from } => {
                    (doc! { *from: { "$ne": null } }, doc! { *from: -1 }, 1, doc! { "_id": 0, *from: 1 })
                }
                RollupValue::Count | RollupValue::Sum { .. } | RollupValue::Avg { .. } => return None,
            };
            Some(vec![
                doc! { "$match": filter },
                doc! { "$sort": sort },
                doc! { "$limit": keep },
                doc! { "$project": fields },
            ])
        };
        self.fields.iter().map(read).collect()
    }

    fn values_of(&self, at: usize, children: Vec<Document>) -> Vec<Bson> {
        match &self.fields[at].value {
            RollupValue::Min { from } | RollupValue::Max { from } => {
                children.iter().filter_map(|child| child.get(from).cloned()).collect()
            }
            _ => children.into_iter().map(Bson::Document).collect(),
        }
    }

    /// Reads the documents of an aggregation over the children.
    async fn all(&self, context: &Context, pipeline: Vec<Document>) -> Result<Vec<Document>> {
        Aggregate { collection: Some(self.child.collection), pipeline }.all(context).await
    }
}
