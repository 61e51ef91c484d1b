//! One write of a model whose parents keep something of it, or that keeps something itself. The order of the steps is the
//! protocol's (`docs/rollups-protocol.md`). Reaches the server.

use std::{
    collections::{HashMap, HashSet},
    mem,
};

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, doc};

use super::{
    apply::{Borne, CHUNK, Children},
    mark::Mark,
    path::{RollupPath, paths_of_child, paths_of_parent},
    tally::{Delta, Tally},
};
use crate::{
    codec,
    definition::ModelDefinition,
    error::{Error, Result},
    executor::Context,
    key::Key,
    read::Query,
};

/// The most new children whose difference is put together here; that of more is read from the server.
const MOST_AT_HAND: usize = 1_000;

/// How many bytes their difference may have, if they are more than a few: each element of a subset is in it.
const MOST_BYTES: usize = 1024 * 1024;
const FEW: usize = 100;

/// A write of documents of one model, with what is to be done for their parents, and for them as parents.
#[derive(Debug)]
pub(crate) struct RollupWriting {
    pub(super) definition: &'static ModelDefinition,
    /// All records that this write leaves have it.
    pub(super) mark: Mark,
    /// The paths in which children bear it.
    pub(super) marked: Vec<Marked>,
    /// What new parents keep.
    pub(super) inserted: Vec<RollupPath>,
    pub(super) inserted_ids: Vec<Bson>,
    /// How many documents have a record for an update that is to come.
    pub(super) prepared: u64,
    /// How many of them are written, as far as it is known.
    pub(super) written: u64,
    /// The `_id`s of all documents that bear the mark, while they are known and few.
    pub(super) ids: Option<Vec<Bson>>,
    /// Updates are not prepared by it.
    pub(super) together: bool,
    /// The update of many that is under way.
    pub(super) many: Option<Many>,
}

/// An update of many documents that is under way.
#[derive(Debug)]
pub(super) struct Many {
    /// The path in whose records the update says what it has changed.
    pub(super) path: RollupPath,
    /// Which documents were asked for.
    pub(super) filter: Document,
    /// How many documents are prepared, and not written yet.
    pub(super) prepared: u64,
}

/// A path in which children bear the mark.
#[derive(Debug)]
pub(super) struct Marked {
    pub(super) path: RollupPath,
    /// The differences, if they are at hand: those of inserts that are done.
    pub(super) deltas: Option<Vec<Delta>>,
    /// The parents that children get are not in their records yet.
    pub(super) is_unnamed: bool,
}

impl RollupWriting {
    pub(super) fn new(definition: &'static ModelDefinition) -> Self {
        let (marked, inserted, inserted_ids) = (Vec::new(), Vec::new(), Vec::new());
        RollupWriting {
            definition,
            mark: Mark::new(),
            marked,
            inserted,
            inserted_ids,
            prepared: 0,
            written: 0,
            ids: Some(Vec::new()),
            together: false,
            many: None,
        }
    }

    /// Documents that are to be inserted get their records, and parents what one without children has.
    ///
    /// # Errors
    /// [`Error::DanglingReference`] where a parent is neither there nor among the documents.
    pub(super) async fn fill_inserts(&mut self, context: &Context, documents: &mut [Document]) -> Result<()> {
        context.note_mark(self.mark.id).await;
        documents.iter().for_each(|document| self.note_id(document.get("_id")));
        for path in paths_of_child(self.definition) {
            let groups = path.by_parent(documents);
            if !path.may_dangle {
                path.refuse_dangling(context, &groups, documents).await?;
            }
            if groups.is_empty() {
                continue;
            }
            // In a transaction later writes may be of the same children: what they come to is known when it is committed.
            let deltas = path.deltas_of(groups).filter(|_| !context.in_transaction());
            for document in &mut *documents {
                if let Some(parent) = parent_of(&path, document) {
                    let record = doc! { "mark": self.mark, "at": [{ "parent": parent.clone() }] };
                    document.insert(path.record(), record);
                }
            }
            match self.marked.iter_mut().find(|marked| marked.path.is(&path)) {
                Some(marked) => marked.deltas = None,
                None => self.marked.push(Marked { path, deltas, is_unnamed: false }),
            }
        }
        let inserted = paths_of_parent(self.definition);
        if inserted.is_empty() {
            return Ok(());
        }
        for document in &mut *documents {
            for path in &inserted {
                document.insert(path.states(), doc! { "new": self.mark, "corrected": self.mark });
                for (name, empty) in path.empty() {
                    match empty {
                        Some(empty) => drop(document.insert(name, empty)),
                        None => drop(document.remove(name)),
                    }
                }
            }
        }
        self.inserted_ids.extend(documents.iter().filter_map(|document| document.get("_id").cloned()));
        self.inserted = inserted;
        Ok(())
    }

    /// A document is written that has this `_id`, or one that is not known.
    pub(super) fn note_id(&mut self, id: Option<&Bson>) {
        let known = self.ids.take().filter(|ids| ids.len() < CHUNK).zip(id);
        self.ids = known.map(|(mut ids, id)| {
            ids.push(id.clone());
            ids
        });
    }

    /// The `_id`s of all documents that bear the mark, if they are known.
    pub(super) fn known_ids(&self) -> Option<&[Bson]> {
        self.ids.as_deref().filter(|ids| !ids.is_empty())
    }

    /// What follows the write. In a transaction, what follows its commit.
    pub(super) fn finish<'a>(self, context: &'a Context) -> BoxFuture<'a, Result<()>> {
        context.once_written(|context| Box::pin(async move { self.complete(&context).await }))
    }

    /// Perhaps not all inserts were done: what is there tells by its mark.
    pub(super) fn forget_deltas(&mut self) {
        self.marked.iter_mut().for_each(|marked| marked.deltas = None);
    }

    /// The write itself is done: a failure leaves records.
    async fn complete(mut self, context: &Context) -> Result<()> {
        let mut done = Ok(());
        if !self.inserted.is_empty() {
            for path in &self.inserted {
                done = done.and(path.adopt(context, self.mark, &self.inserted_ids).await);
            }
        }
        let marked = mem::take(&mut self.marked);
        if self.prepared == 0 && marked.iter().all(|marked| !marked.is_unnamed) {
            done = done.and(self.complete_inserts(context, marked).await);
        } else {
            for marked in marked {
                done = done.and(self.complete_path(context, marked).await);
            }
        }
        done.map_err(|error| pending(self.definition, error))
    }

    async fn complete_path(&self, context: &Context, Marked { path, deltas, is_unnamed }: Marked) -> Result<()> {
        if is_unnamed {
            path.name_parents(context, self.mark).await?;
        }
        let deltas = match deltas {
            Some(deltas) => deltas,
            None => path.deltas(context, self.mark.id).await?,
        };
        // What an upsert has inserted is all new. Of an update of many that has failed it is not known how many are written: what was prepared
        // is at least as much, and what others have taken over counts as well.
        let inserted = deltas.iter().map(|delta| delta.plus.count as u64).sum();
        let count = if self.prepared == 0 { inserted } else { self.prepared.max(self.written) };
        let children = Children { count, ids: self.known_ids() };
        path.complete(context, self.mark, deltas, Borne::ByLiving, children).await?;
        match &self.many {
            Some(many) if many.path.is(&path) => path.release(context, self.mark).await,
            _ => Ok(()),
        }
    }
}

/// The write is done, and what follows it is not.
pub(super) fn pending(definition: &ModelDefinition, source: Error) -> Error {
    Error::RollupPending { collection: definition.collection, source: Box::new(source) }
}

impl RollupPath {
    pub(super) fn is(&self, other: &RollupPath) -> bool {
        self.name == other.name
    }

    /// New children by their parents.
    fn by_parent<'a>(&self, children: &'a [Document]) -> Vec<(Bson, Vec<&'a Document>)> {
        let mut groups: Vec<(Bson, Vec<&Document>)> = Vec::new();
        let mut positions = HashMap::new();
        for child in children {
            let Some(parent) = parent_of(self, child) else { continue };
            let at = *positions.entry(Key::of(parent)).or_insert_with(|| {
                groups.push((parent.clone(), Vec::new()));
                groups.len() - 1
            });
            groups[at].1.push(child);
        }
        groups
    }

    /// An error where a parent is neither there nor among the documents that are inserted.
    async fn refuse_dangling(
        &self,
        context: &Context,
        groups: &[(Bson, Vec<&Document>)],
        documents: &[Document],
    ) -> Result<()> {
        let mut there: HashSet<Key> = HashSet::new();
        if self.parent.collection == self.child.collection {
            there.extend(documents.iter().filter_map(|document| document.get("_id")).map(Key::of));
        }
        let asked: Vec<Bson> = groups.iter().map(|(parent, _)| parent.clone()).collect();
        for ids in asked.chunks(CHUNK) {
            let mut query = Query::by_ids(self.parent.collection, ids);
            query.projection = doc! { "_id": 1 };
            there
                .extend(query.all(&context.newest()).await?.iter().filter_map(|parent| parent.get("_id")).map(Key::of));
        }
        let Some((parent, children)) = groups.iter().find(|(parent, _)| !there.contains(&Key::of(parent))) else {
            return Ok(());
        };
        let holder = children.first().and_then(|child| child.get("_id")).cloned();
        let place = (self.child.model, self.reference);
        Err(Error::dangling(place, self.parent.collection, parent.clone(), holder.unwrap_or(Bson::Null)))
    }

    /// The differences that new children make. `None` where there are too many of one parent.
    fn deltas_of(&self, groups: Vec<(Bson, Vec<&Document>)>) -> Option<Vec<Delta>> {
        if groups.iter().any(|(_, children)| children.len() > MOST_AT_HAND) {
            return None;
        }
        let delta = |(parent, children): (Bson, Vec<&Document>)| {
            let plus = self.tally_of(&children);
            let fits =
                children.len() <= FEW || codec::encode(&doc! { "v": &plus.values }).ok()?.as_bytes().len() < MOST_BYTES;
            fits.then(|| Delta { parent, plus, minus: Tally::default() })
        };
        groups.into_iter().map(delta).collect()
    }
}

fn parent_of<'a>(path: &RollupPath, child: &'a Document) -> Option<&'a Bson> {
    child.get(path.reference).filter(|parent| **parent != Bson::Null)
}
