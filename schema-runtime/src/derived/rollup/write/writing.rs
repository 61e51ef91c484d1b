//! One write of children, of parents, or of both, with the differences of the parents. Reaches the server.

use std::collections::{HashMap, HashSet};

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, doc, oid::ObjectId};

use super::simulate;
use crate::{
    changes::{Operator, UpdateSpec},
    definition::ModelDefinition,
    derived::{
        effect::WriteKind,
        rollup::{
            differences::{
                difference::{Change, Delta},
                fold::fold_of_inserted,
            },
            stored::path::{RollupPath, names, paths_of_child, paths_of_parent, projection},
        },
        updated::{Updated, read_by_ids},
    },
    error::Result,
    executor::Context,
    key::Key,
};

/// A write of documents of one model, in a transaction.
#[derive(Debug)]
pub(crate) struct RollupWriting {
    pub(in crate::derived::rollup) definition: &'static ModelDefinition,
    /// True when the updates of a bulk are prepared together. The effect then prepares no updates.
    together: bool,
    /// The differences of inserts.
    inserts: Vec<(RollupPath, Vec<Delta>)>,
    /// The existing children of inserted parents.
    adopted: Vec<(RollupPath, Vec<Delta>)>,
    /// The paths that an update concerns.
    pub(in crate::derived::rollup) changes: Vec<RollupPath>,
    pub(in crate::derived::rollup) updated: Updated,
    /// The child after an update that has returned the child before.
    pub(super) after: Option<Document>,
    /// Inserted documents that may be parents.
    inserted: Vec<Bson>,
}

impl RollupWriting {
    pub(in crate::derived::rollup) fn new(definition: &'static ModelDefinition, kind: WriteKind) -> Self {
        RollupWriting {
            definition,
            together: kind == WriteKind::Bulk,
            inserts: Vec::new(),
            adopted: Vec::new(),
            changes: Vec::new(),
            updated: Updated::default(),
            after: None,
            inserted: Vec::new(),
        }
    }

    /// Prepares documents for the insert: parents begin without children, and children make a difference.
    pub(in crate::derived::rollup) async fn fill_inserts(
        &mut self,
        context: &Context,
        documents: &mut [Document],
    ) -> Result<()> {
        for path in paths_of_child(self.definition) {
            let children = documents.iter().map(|document| (None, Some(document)));
            let differences = path.differences(children);
            self.inserts.push((path, differences));
        }
        let parents = paths_of_parent(self.definition);
        if parents.is_empty() {
            return Ok(());
        }
        for document in &mut *documents {
            for path in &parents {
                document.insert(path.states(), doc! { "corrected": ObjectId::new() });
                for (name, empty) in path.empty() {
                    match empty {
                        Some(empty) => drop(document.insert(name, empty)),
                        None => drop(document.remove(name)),
                    }
                }
            }
        }
        let ids: Vec<Bson> = documents.iter().filter_map(|document| document.get("_id").cloned()).collect();
        for path in parents {
            let adopted = path.adopt(context, &ids).await?;
            self.adopted.push((path, adopted));
        }
        self.inserted.extend(ids);
        Ok(())
    }

    /// Prepares an update. Returns whether the update changes a value of a parent, or may insert a document.
    pub(in crate::derived::rollup) fn fill_update(&mut self, spec: &mut UpdateSpec) -> bool {
        if self.together {
            return false;
        }
        for path in paths_of_child(self.definition) {
            let is_known = self.changes.iter().any(|known| known.is(&path));
            if !is_known && (spec.upsert || path.concerns(&spec.touched)) {
                self.changes.push(path);
            }
        }
        let parents = if spec.upsert { paths_of_parent(self.definition) } else { Vec::new() };
        for path in &parents {
            spec.changes.put(Operator::SetOnInsert, path.states(), doc! { "corrected": ObjectId::new() });
            for (name, empty) in path.empty() {
                if let Some(empty) = empty {
                    spec.changes.put(Operator::SetOnInsert, name, empty);
                }
            }
        }
        self.updated.add_update(spec);
        !self.changes.is_empty() || !parents.is_empty()
    }

    /// Reads the documents of an update, in the state before the update.
    pub(in crate::derived::rollup) async fn read_before(
        &mut self,
        context: &Context,
        spec: &mut UpdateSpec,
    ) -> Result<()> {
        let projection = projection(&self.changes);
        self.updated.read_before(context, self.definition.collection, projection, spec).await
    }

    /// Reads the documents of several updates. Each filter names a different document by `_id`.
    pub(in crate::derived::rollup) async fn read_all_before(
        &mut self,
        context: &Context,
        updates: &[UpdateSpec],
    ) -> Result<()> {
        if self.together || self.changes.is_empty() {
            return Ok(());
        }
        let projection = projection(&self.changes);
        self.updated.read_each_before(context, self.definition.collection, &projection, updates).await
    }

    /// Writes the parents after the children, in the same transaction.
    pub(in crate::derived::rollup) async fn finish(mut self, context: &Context) -> Result<()> {
        for (path, deltas) in std::mem::take(&mut self.adopted) {
            path.write(context, &deltas).await?;
        }
        let parents = paths_of_parent(self.definition);
        for path in &parents {
            path.recount(context, &self.updated.upserted).await?;
        }
        let coming: HashSet<Key> = self.inserted.iter().map(Key::of).collect();
        self.inserted.extend_from_slice(&self.updated.upserted);
        for (path, deltas) in std::mem::take(&mut self.inserts) {
            path.apply(context, deltas, &coming).await?;
        }
        let inserted = std::mem::take(&mut self.inserted);
        if !inserted.is_empty() && !parents.is_empty() {
            let follow = |context: Context| -> BoxFuture<'static, Result<()>> {
                Box::pin(async move {
                    fold_of_inserted(&context, parents, inserted);
                    Ok(())
                })
            };
            context.once_written(follow).await?;
        }
        self.finish_update(context).await
    }

    /// Applies the changes of an update to the parents.
    async fn finish_update(&mut self, context: &Context) -> Result<()> {
        if self.changes.is_empty() {
            return Ok(());
        }
        let names = names(&self.changes);
        let (mut known, mut unknown) = (Vec::new(), self.updated.upserted.clone());
        let mut after = self.after.take();
        for (before, update) in self.updated.update_of_each() {
            let simulated = || update.and_then(|update| simulate::after(before, update, &names));
            match after.take().or_else(simulated) {
                Some(after) => known.push((before, after)),
                None => unknown.extend(before.get("_id").cloned()),
            }
        }
        let fields = projection(&self.changes);
        let read = read_by_ids(context, self.definition.collection, &unknown, &fields).await?;
        let before: HashMap<Key, &Document> =
            self.updated.before.iter().filter_map(|document| Some((Key::of(document.get("_id")?), document))).collect();
        let of_read = read.iter().map(|after| {
            let before = after.get("_id").and_then(|id| before.get(&Key::of(id)).copied());
            (before, Some(after))
        });
        let all: Vec<Change<'_>> =
            known.iter().map(|(before, after)| (Some(*before), Some(after))).chain(of_read).collect();
        let counted: HashSet<Key> = self.updated.upserted.iter().map(Key::of).collect();
        for path in &self.changes {
            let mut differences = path.differences(all.iter().copied());
            // A document that refers to itself was counted with all children.
            let is_own = path.parent.collection == self.definition.collection;
            differences.retain(|delta| !is_own || !counted.contains(&Key::of(&delta.parent)));
            path.apply(context, differences, &HashSet::new()).await?;
        }
        Ok(())
    }
}
