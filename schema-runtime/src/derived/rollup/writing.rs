//! One write of children, of parents, or of both, with the differences of the parents. Reaches the server.

use std::collections::{HashMap, HashSet};

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, RawDocumentBuf, doc, oid::ObjectId};

use super::{
    difference::{Change, Delta},
    fold::fold_of_inserted,
    path::{CHUNK, RollupPath, paths_of_child, paths_of_parent},
    simulate,
};
use crate::{
    definition::ModelDefinition,
    document::{equal_to, put},
    error::{Error, Result},
    executor::{Context, Outcome, Sent},
    key::Key,
    read::Query,
};

/// A write of documents of one model, in a transaction.
#[derive(Debug)]
pub(crate) struct RollupWriting {
    definition: &'static ModelDefinition,
    /// Updates of a bulk are not prepared by it.
    together: bool,
    /// The differences of inserts.
    inserts: Vec<(RollupPath, Vec<Delta>)>,
    /// The children that inserted parents have already.
    adopted: Vec<(RollupPath, Vec<Delta>)>,
    /// The paths that an update concerns.
    changes: Vec<RollupPath>,
    /// The updates that are under way, by the `_id` of the document where they are several.
    updates: Vec<(Option<Key>, Document)>,
    /// Whether an update has found fewer documents than were read.
    has_missed: bool,
    /// The documents that the update is of, as they were.
    before: Vec<Document>,
    has_read: bool,
    /// What an update has inserted.
    upserted: Vec<Bson>,
    /// Inserted documents that may be parents.
    inserted: Vec<Bson>,
}

impl RollupWriting {
    pub(super) fn new(definition: &'static ModelDefinition, together: bool) -> Self {
        RollupWriting {
            definition,
            together,
            inserts: Vec::new(),
            adopted: Vec::new(),
            changes: Vec::new(),
            updates: Vec::new(),
            has_missed: false,
            before: Vec::new(),
            has_read: false,
            upserted: Vec::new(),
            inserted: Vec::new(),
        }
    }

    /// Documents that are to be inserted: parents begin without children, and children make a difference.
    pub(super) async fn fill_inserts(&mut self, context: &Context, documents: &mut [Document]) -> Result<()> {
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

    /// An update: whether it changes what a parent keeps, or may insert a document.
    pub(super) fn fill_update(&mut self, sent: &mut Sent) -> bool {
        if self.together {
            return false;
        }
        for path in paths_of_child(self.definition) {
            let is_known = self.changes.iter().any(|known| known.is(&path));
            if !is_known && (sent.upsert || path.concerns(&sent.touched)) {
                self.changes.push(path);
            }
        }
        let parents = if sent.upsert { paths_of_parent(self.definition) } else { Vec::new() };
        for path in &parents {
            put(&mut sent.update, "$setOnInsert", path.states(), doc! { "corrected": ObjectId::new() });
            for (name, empty) in path.empty() {
                if let Some(empty) = empty {
                    put(&mut sent.update, "$setOnInsert", name, empty);
                }
            }
        }
        self.updates.push((equal_to(&sent.filter, "_id").map(Key::of), sent.update.clone()));
        !self.changes.is_empty() || !parents.is_empty()
    }

    /// The fields of a child that its parents keep something of, and the references.
    fn names(&self) -> Vec<&str> {
        names(&self.changes)
    }

    fn projection(&self) -> Document {
        let names = self.names().into_iter().map(|name| (name.to_owned(), Bson::Int32(1)));
        names.chain([("_id".to_owned(), Bson::Int32(1))]).collect()
    }

    /// Reads the documents that an update is of, as they are before the update.
    pub(super) async fn read_before(&mut self, context: &Context, sent: &mut Sent, many: bool) -> Result<()> {
        let mut query = Query::new(self.definition.collection, sent.filter.clone());
        query.projection = self.projection();
        query.limit = u64::from(!many);
        self.before = query.all(context).await?;
        self.has_read = true;
        if let (false, [document]) = (many, &self.before[..])
            && let Some(id) = document.get("_id")
        {
            // The update is of the document that was read.
            sent.filter = doc! { "$and": [std::mem::take(&mut sent.filter), { "_id": { "$eq": id } }] };
        }
        Ok(())
    }

    /// The same of updates that are each of another document, by `_id`.
    pub(super) async fn read_all_before(&mut self, context: &Context, updates: &[Sent]) -> Result<()> {
        if self.together || self.changes.is_empty() {
            return Ok(());
        }
        let ids: Vec<Bson> = updates.iter().filter_map(|sent| equal_to(&sent.filter, "_id").cloned()).collect();
        for ids in ids.chunks(CHUNK) {
            let mut query = Query::by_ids(self.definition.collection, ids);
            query.projection = self.projection();
            self.before.extend(query.all(context).await?);
        }
        self.has_read = true;
        Ok(())
    }

    /// What an update has found, as it was before or is after. A document that was not there before was inserted.
    pub(super) fn hear_found(&mut self, found: Option<&RawDocumentBuf>, after: bool) -> Result<()> {
        let parsed = found.map(|found| Document::try_from(&**found).map_err(Error::encode)).transpose()?;
        match (after, self.has_read) {
            (false, false) => self.before.extend(parsed),
            (true, _) if self.before.is_empty() => {
                self.upserted.extend(parsed.and_then(|document| document.get("_id").cloned()));
            }
            _ => {}
        }
        Ok(())
    }

    pub(super) fn hear(&mut self, outcome: Option<&Outcome>) {
        self.has_missed |= outcome.is_some_and(|outcome| outcome.matched < self.before.len() as u64);
        self.upserted.extend(outcome.and_then(|outcome| outcome.upserted_id.clone()));
    }

    pub(super) fn hear_upserted(&mut self, upserted: &[Bson]) {
        self.upserted.extend(upserted.iter().cloned());
    }

    /// The children are written: their parents follow in the same transaction.
    pub(super) async fn finish(mut self, context: &Context) -> Result<()> {
        for (path, deltas) in std::mem::take(&mut self.adopted) {
            path.write(context, &deltas).await?;
        }
        for path in paths_of_parent(self.definition) {
            path.recount(context, &self.upserted).await?;
        }
        let coming: HashSet<Key> = self.inserted.iter().map(Key::of).collect();
        self.inserted.extend(self.upserted.iter().cloned());
        for (path, deltas) in std::mem::take(&mut self.inserts) {
            path.apply(context, deltas, &coming).await?;
        }
        let inserted = std::mem::take(&mut self.inserted);
        let parents = paths_of_parent(self.definition);
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

    /// What an update has made of the documents.
    async fn finish_update(&mut self, context: &Context) -> Result<()> {
        if self.changes.is_empty() {
            return Ok(());
        }
        let names = self.names();
        let (mut known, mut unknown) = (Vec::new(), self.upserted.clone());
        let several: HashMap<&Key, &Document> =
            self.updates.iter().filter_map(|(key, update)| Some((key.as_ref()?, update))).collect();
        let update_of = |before: &Document| match &self.updates[..] {
            _ if self.has_missed => None,
            [(_, update)] => Some(update),
            _ => several.get(&Key::of(before.get("_id")?)).copied(),
        };
        for before in &self.before {
            match update_of(before).and_then(|update| simulate::after(before, update, &names)) {
                Some(after) => known.push((before, after)),
                None => unknown.extend(before.get("_id").cloned()),
            }
        }
        let mut read = Vec::new();
        for ids in unknown.chunks(CHUNK) {
            let mut query = Query::by_ids(self.definition.collection, ids);
            query.projection = self.projection();
            read.extend(query.all(context).await?);
        }
        let before: HashMap<Key, &Document> =
            self.before.iter().filter_map(|document| Some((Key::of(document.get("_id")?), document))).collect();
        let of_read = read.iter().map(|after| {
            let before = after.get("_id").and_then(|id| before.get(&Key::of(id)).copied());
            (before, Some(after))
        });
        let all: Vec<Change<'_>> =
            known.iter().map(|(before, after)| (Some(*before), Some(after))).chain(of_read).collect();
        let counted: HashSet<Key> = self.upserted.iter().map(Key::of).collect();
        for path in &self.changes {
            let mut differences = path.differences(all.iter().copied());
            // A document that refers to itself was counted with the others.
            let is_own = path.parent.collection == self.definition.collection;
            differences.retain(|delta| !is_own || !counted.contains(&Key::of(&delta.parent)));
            path.apply(context, differences, &HashSet::new()).await?;
        }
        Ok(())
    }
}

/// The fields of a child that these paths keep something of, and the references.
pub(super) fn names(paths: &[RollupPath]) -> Vec<&str> {
    let mut names: Vec<&str> = paths.iter().flat_map(|path| path.watched().chain([path.reference])).collect();
    names.sort_unstable();
    names.dedup();
    names
}
