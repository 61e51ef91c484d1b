//! One write of a model whose parents keep something of it, or that keeps something itself: what it puts in or changes is
//! marked, and when it is done the parents are refreshed up to it. The order of the steps is the protocol's.

use std::collections::HashMap;

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, RawDocument, doc, oid::ObjectId};

use super::{
    add::Add,
    path::{RollupPath, paths_of_child, paths_of_parent},
    refresh::{Accepts, ParentState, Waited},
};
use crate::{
    definition::ModelDefinition,
    document::set_inside,
    error::{Error, Result, server},
    executor::{Context, Sent},
    key::Key,
    read::Query,
};

/// How many documents one command names by their `_id`s.
pub(super) const CHUNK: usize = 1_000;

/// A write of documents of one model, with what is to be done for their parents, and for them as parents.
#[derive(Debug)]
pub(crate) struct RollupWriting {
    pub(super) definition: &'static ModelDefinition,
    /// The value of all marks that this write leaves.
    pub(super) mark: ObjectId,
    /// New children, by their parents.
    inserts: Vec<(RollupPath, Vec<Group>)>,
    /// The paths in which children were marked, and whether they may have moved.
    pub(super) changed: Vec<(RollupPath, bool)>,
    /// What new parents keep; they are closed by the mark.
    pub(super) inserted: Vec<RollupPath>,
    pub(super) inserted_ids: Vec<Bson>,
    /// Some children name the parent that they are to leave.
    pub(super) leaves: bool,
    /// Children are marked as being deleted.
    pub(super) deletes: bool,
}

/// The new children of one parent.
#[derive(Debug)]
struct Group {
    parent: Bson,
    /// The parent's epoch, if it was open when it was read.
    epoch: Option<Option<ObjectId>>,
    children: Vec<Document>,
}

impl RollupWriting {
    pub(crate) fn new(definition: &'static ModelDefinition) -> Self {
        RollupWriting {
            definition,
            mark: ObjectId::new(),
            inserts: Vec::new(),
            changed: Vec::new(),
            inserted: Vec::new(),
            inserted_ids: Vec::new(),
            leaves: false,
            deletes: false,
        }
    }

    /// Documents that are to be inserted get their marks, and parents what one without children has.
    pub(crate) fn fill_inserts<'a>(
        &'a mut self,
        context: &'a Context,
        documents: &'a mut [Document],
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let context = &context.majority();
            for path in paths_of_child(self.definition) {
                let groups = path.groups(context, documents).await?;
                for document in &mut *documents {
                    if document.get(path.reference).is_some_and(|parent| *parent != Bson::Null) {
                        set_inside(document, &path.mark(), self.mark);
                    }
                }
                self.inserts.push((path, groups));
            }
            let inserted = paths_of_parent(self.definition);
            if !inserted.is_empty() {
                for document in &mut *documents {
                    for path in &inserted {
                        set_inside(document, &path.epoch(), self.mark);
                        set_inside(document, &path.closed(), self.mark);
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
            }
            Ok(())
        })
    }

    /// What follows the write. In a transaction, what follows its commit.
    pub(crate) fn finish<'a>(self, context: &'a Context) -> BoxFuture<'a, Result<()>> {
        context.once_written(|context| Box::pin(async move { self.complete(&context).await }))
    }

    /// Perhaps not all inserts were done: what is there tells by its mark.
    pub(crate) fn some_only(&mut self) {
        self.changed.extend(self.inserts.drain(..).map(|(path, _)| (path, false)));
    }

    /// Refreshes the parents up to what was written. The write itself is done: a failure leaves marks.
    async fn complete(self, context: &Context) -> Result<()> {
        let collection = self.definition.collection;
        self.refresh_all(context).await.map_err(|source| Error::RollupPending { collection, source: Box::new(source) })
    }

    async fn refresh_all(self, context: &Context) -> Result<()> {
        for path in &self.inserted {
            path.open_inserted(context, &self.inserted_ids, self.mark).await?;
        }
        for (path, groups) in &self.inserts {
            for group in groups {
                path.add_group(context, self.mark, group).await?;
            }
            let ids: Vec<&Bson> =
                groups.iter().flat_map(|group| &group.children).filter_map(|child| child.get("_id")).collect();
            for ids in ids.chunks(CHUNK) {
                let ids: Vec<Bson> = ids.iter().map(|id| (*id).clone()).collect();
                path.clear(context, doc! { "_id": { "$in": ids }, path.mark(): self.mark }).await?;
            }
        }
        for (path, moved) in &self.changed {
            path.settle(context, self.mark, *moved).await?;
        }
        if self.deletes {
            super::removal::complete(self.definition, context, self.mark).await?;
        }
        Ok(())
    }
}

impl RollupPath {
    /// The children by their parents, which are read.
    fn groups<'a>(&'a self, context: &'a Context, children: &'a [Document]) -> BoxFuture<'a, Result<Vec<Group>>> {
        Box::pin(async move {
            let mut groups: Vec<Group> = Vec::new();
            let mut places: HashMap<Key, usize> = HashMap::new();
            for child in children {
                let Some(parent) = child.get(self.reference).filter(|parent| **parent != Bson::Null) else { continue };
                let place = *places.entry(Key::of(parent)).or_insert_with(|| {
                    groups.push(Group { parent: parent.clone(), epoch: None, children: Vec::new() });
                    groups.len() - 1
                });
                groups[place].children.push(child.clone());
            }
            let mut found = vec![false; groups.len()];
            for chunk in 0..groups.len().div_ceil(CHUNK) {
                let ids: Vec<Bson> =
                    groups.iter().skip(chunk * CHUNK).take(CHUNK).map(|group| group.parent.clone()).collect();
                let query = Query { projection: self.state_fields(), ..Query::by_ids(self.parent.collection, &ids) };
                let visit = |parent: &RawDocument| {
                    if let Some(place) = crate::read::key(parent).and_then(|key| places.get(&key)) {
                        found[*place] = true;
                        if let ParentState::Open(epoch) = self.state_in(parent) {
                            groups[*place].epoch = Some(epoch);
                        }
                    }
                    Ok(std::ops::ControlFlow::Continue(()))
                };
                query.for_each(context, visit).await?;
            }
            match found.iter().position(|found| !found) {
                Some(place) => {
                    let Group { parent, children, .. } = groups.swap_remove(place);
                    let holder = children.first().and_then(|child| child.get("_id")).cloned();
                    Err(Error::DanglingReference {
                        relation: self.relation(),
                        collection: self.parent.collection,
                        id: Box::new(parent),
                        holder: Box::new(holder.unwrap_or(Bson::Null)),
                    })
                }
                None => Ok(groups),
            }
        })
    }

    /// Adds new children to their parent, as many at a time as one command takes.
    async fn add_group(&self, context: &Context, mark: ObjectId, group: &Group) -> Result<()> {
        let mut rest: Vec<&Document> = group.children.iter().collect();
        let mut epoch = group.epoch;
        loop {
            if let Some(epoch) = epoch {
                while !rest.is_empty() {
                    let next = rest.len().min(self.most_in_add(&rest));
                    if !self.send_add(context, &group.parent, epoch, &rest[..next]).await? {
                        break;
                    }
                    rest.drain(..next);
                }
                if rest.is_empty() {
                    return Ok(());
                }
            }
            epoch = match self.wait(context, &group.parent).await? {
                Waited::NoParent => return Ok(()),
                Waited::TakenOver(mine) => {
                    return self.refresh_closed(context, &group.parent, Accepts::Any(mark), Some(mine)).await.map(drop);
                }
                Waited::Open(epoch) => Some(epoch),
            };
            // Those that have lost their mark were counted by a recompute.
            rest = self.still_marked(context, mark, rest).await?;
            if rest.is_empty() {
                return Ok(());
            }
        }
    }

    async fn send_add(
        &self,
        context: &Context,
        parent: &Bson,
        epoch: Option<ObjectId>,
        children: &[&Document],
    ) -> Result<bool> {
        let mut filter = Self::parent(parent);
        filter.insert(self.epoch(), epoch);
        filter.insert(self.closed(), Bson::Null);
        let collection = self.parent.collection;
        let matched = match self.add(children) {
            Add::Plain(update) => {
                let sent = Sent { filter, update, ..Sent::default() };
                context.update_one(collection, sent).await.map(|updated| updated.matched_count)
            }
            Add::Pipeline(pipeline) => context.update_with_pipeline(collection, filter, pipeline).await,
        };
        Ok(matched.map_err(|error| server::write(self.parent, error))? > 0)
    }

    async fn still_marked<'c>(
        &self,
        context: &Context,
        mark: ObjectId,
        children: Vec<&'c Document>,
    ) -> Result<Vec<&'c Document>> {
        let mut marked = std::collections::HashSet::new();
        let ids: Vec<Bson> = children.iter().filter_map(|child| child.get("_id").cloned()).collect();
        for ids in ids.chunks(CHUNK) {
            let mut query = Query::new(self.child.collection, doc! { "_id": { "$in": ids }, self.mark(): mark });
            query.projection = doc! { "_id": 1 };
            let visit = |child: &RawDocument| {
                marked.extend(crate::read::key(child));
                Ok(std::ops::ControlFlow::Continue(()))
            };
            query.for_each(context, visit).await?;
        }
        let is_marked = |child: &&Document| child.get("_id").is_some_and(|id| marked.contains(&Key::of(id)));
        Ok(children.into_iter().filter(is_marked).collect())
    }
}
