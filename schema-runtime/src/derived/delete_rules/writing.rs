//! One write of children, which checks that the parents exist and are not being deleted. Reaches the server.

use std::collections::{HashMap, HashSet};

use mongodb::bson::{Bson, Document, doc};

use super::rule::{Ruled, UNCHECKED, rules_of_child};
use crate::{
    changes::{ChangeSet, FieldEffect, Operator, UpdateSpec},
    definition::ModelDefinition,
    derived::{
        effect::{WriteKind, Writer},
        marks::PendingMarker,
        presence::{Presence, all_exist, presence_of},
        statements::change_all,
        touch::{self, Touch},
    },
    document::equal_to,
    error::{Error, Result},
    executor::Context,
    key::Key,
    limits::RULED_PARENTS,
    read::Query,
};

/// A write of children, and the parents that the children newly refer to.
#[derive(Debug)]
pub(crate) struct ChildWriting {
    definition: &'static ModelDefinition,
    writer: Writer,
    kind: WriteKind,
    mark: PendingMarker,
    rules: Vec<Ruled>,
    /// The parents of each rule, each with the first written child that refers to the parent.
    parents: Vec<Referred>,
    /// The children that bear the mark, with their parents.
    inserted: Vec<(Bson, Vec<Key>)>,
    /// The rules that the update under way touches, by their positions; all rules before an update.
    touched: Vec<usize>,
    /// Documents whose references after the update only the server knows, with the touched rules.
    unknown: Vec<(Bson, Vec<usize>)>,
    /// True when only the server knows the references of the document of the update under way.
    asks_server: bool,
    /// The same of several updates, each of another document, before the updates are spec.
    asking: Vec<(Bson, Vec<usize>)>,
    /// True when perhaps not all inserts were done.
    some_only: bool,
}

/// The parents of one rule that children newly refer to.
#[derive(Debug, Default)]
struct Referred {
    ids: Vec<(Bson, Bson)>,
    seen: HashSet<Key>,
}

impl Referred {
    fn add(&mut self, parent: Bson, child: &Bson) {
        if self.seen.insert(Key::of(&parent)) {
            self.ids.push((parent, child.clone()));
        }
    }
}

impl ChildWriting {
    pub(super) fn new(definition: &'static ModelDefinition, kind: WriteKind, writer: Writer) -> Self {
        let rules = rules_of_child(definition);
        let parents = rules.iter().map(|_| Referred::default()).collect();
        let touched = (0..rules.len()).collect();
        ChildWriting {
            definition,
            writer,
            kind,
            mark: PendingMarker::new(),
            rules,
            parents,
            inserted: Vec::new(),
            touched,
            unknown: Vec::new(),
            asks_server: false,
            asking: Vec::new(),
            some_only: false,
        }
    }

    /// Gives a mark to the documents that are to be inserted, until the insert has read the parents after the write. In
    /// a transaction, a write of the parents replaces the mark.
    pub(super) async fn fill_inserts(&mut self, context: &Context, documents: &mut [Document]) -> Result<()> {
        let new: Vec<Bson> = documents.iter().filter_map(|document| document.get("_id").cloned()).collect();
        let all = self.touched.clone();
        for document in documents {
            let id = document.get("_id").cloned().unwrap_or(Bson::Null);
            let keys = self.add(document, &id, &all);
            if !keys.is_empty() && !context.in_transaction() {
                document.insert(UNCHECKED, self.mark);
                self.inserted.push((id, keys));
            }
        }
        // An insert of many refuses a dangling document before any document is stored.
        if self.kind != WriteKind::InsertOne && !context.in_transaction() {
            for (ruled, referred) in self.rules.iter().zip(&self.parents) {
                let mut there = there(context, ruled, referred).await?;
                if ruled.parent.collection == self.definition.collection {
                    there.extend(new.iter().map(Key::of));
                }
                refuse(ruled, referred, &there)?;
            }
        }
        Ok(())
    }

    /// Adds the parents that a document refers to by the given rules.
    fn add(&mut self, document: &Document, id: &Bson, rules: &[usize]) -> Vec<Key> {
        let mut keys = Vec::new();
        for at in rules {
            for parent in self.rules[*at].parents_of(document) {
                keys.push(Key::of(&parent));
                self.parents[*at].add(parent, id);
            }
        }
        keys
    }

    /// Prepares an update. Returns whether the update may make children refer to different parents.
    pub(super) fn fill_update(&mut self, spec: &mut UpdateSpec) -> bool {
        if self.kind == WriteKind::Bulk {
            return false;
        }
        let is_touched = |at: &usize| spec.upsert || self.rules[*at].is_touched(&spec.touched);
        self.touched = (0..self.rules.len()).filter(is_touched).collect();
        self.asks_server = spec.upsert;
        for at in &self.touched {
            match added(&self.rules[*at], &spec.changes) {
                Some(parents) => parents.into_iter().for_each(|parent| self.parents[*at].add(parent, &Bson::Null)),
                None => self.asks_server = true,
            }
        }
        if self.asks_server {
            let id = equal_to(&spec.filter, "_id").cloned();
            self.asking.extend(id.map(|id| (id, self.touched.clone())));
        }
        let is_set = |ruled: &Ruled| spec.changes.get(Operator::Set, ruled.name()).is_some();
        let is_all = self.touched.len() == self.rules.len();
        if is_all && (self.asks_server || self.rules.iter().all(is_set)) {
            // The transaction checks all parents, so the check of the insert is no longer needed.
            spec.changes.put(Operator::Unset, UNCHECKED, "");
        }
        !self.touched.is_empty()
    }

    /// Reads the `_id`s of the documents of an update that does not determine the references after the update.
    pub(super) async fn read_before(&mut self, context: &Context, spec: &mut UpdateSpec) -> Result<()> {
        if !self.asks_server {
            return Ok(());
        }
        let mut query = Query::new(self.definition.collection, spec.filter.clone());
        query.sort = spec.sort.clone();
        query.limit = u64::from(!spec.is_many());
        self.ask_of(query.all_ids(&context.newest()).await?);
        if let (false, [(id, _)]) = (spec.is_many(), &self.unknown[..]) {
            // The update applies to the document that was read.
            spec.narrow_to(id);
        }
        Ok(())
    }

    /// Notes the documents of several updates. Each filter names a different document by `_id`.
    pub(super) fn note_documents(&mut self) {
        self.unknown.append(&mut self.asking);
    }

    /// Adds documents whose references only the server knows.
    pub(super) fn ask_of(&mut self, ids: impl IntoIterator<Item = Bson>) {
        self.unknown.extend(ids.into_iter().map(|id| (id, self.touched.clone())));
    }

    /// Takes the `_id` of the document that an update has returned.
    pub(super) fn note_found(&mut self, id: Option<Bson>) {
        if self.asks_server {
            self.ask_of(id);
        }
    }

    pub(super) fn note_some_only(&mut self) {
        self.some_only = true;
    }

    /// Checks the parents: in a transaction by a write of each parent, otherwise by a read after the write.
    ///
    /// # Errors
    /// [`Error::DanglingReference`] where a parent is missing or is being deleted. The children of the parent are not
    /// stored then.
    pub(super) async fn finish(mut self, context: &Context) -> Result<()> {
        if context.in_transaction() {
            self.ask_server(context).await?;
            for (ruled, referred) in self.rules.iter().zip(&self.parents) {
                touch(context, ruled, referred).await?;
            }
            return Ok(());
        }
        if self.inserted.is_empty() { Ok(()) } else { self.check(&context.majority()).await }
    }

    async fn ask_server(&mut self, context: &Context) -> Result<()> {
        let unknown = std::mem::take(&mut self.unknown);
        for unknown in unknown.chunks(RULED_PARENTS) {
            let ids: Vec<Bson> = unknown.iter().map(|(id, _)| id.clone()).collect();
            let rules: HashMap<Key, &[usize]> = unknown.iter().map(|(id, rules)| (Key::of(id), &rules[..])).collect();
            let mut query = Query::by_ids(self.definition.collection, &ids);
            query.projection = self.rules.iter().map(|ruled| (ruled.name().to_owned(), Bson::Int32(1))).collect();
            for document in query.all(&context.newest()).await? {
                let id = document.get("_id").cloned().unwrap_or(Bson::Null);
                if let Some(rules) = rules.get(&Key::of(&id)) {
                    self.add(&document, &id, rules);
                }
            }
        }
        Ok(())
    }

    /// Reads the parents after the insert, takes back the children of missing parents, and clears the mark of all
    /// remaining children.
    async fn check(&self, context: &Context) -> Result<()> {
        let (mut dangling, mut gone) = (HashSet::new(), None);
        for (ruled, referred) in self.rules.iter().zip(&self.parents) {
            let there = there(context, ruled, referred).await?;
            let missing = referred.ids.iter().filter(|(parent, _)| !there.contains(&Key::of(parent)));
            dangling.extend(missing.map(|(parent, _)| Key::of(parent)));
            gone = gone.or(refuse(ruled, referred, &there).err());
        }
        let is_dangling = |(_, parents): &&(Bson, Vec<Key>)| parents.iter().any(|parent| dangling.contains(parent));
        let taken: Vec<Bson> = self.inserted.iter().filter(is_dangling).map(|(id, _)| id.clone()).collect();
        let mut unsure = 0;
        for ids in taken.chunks(RULED_PARENTS) {
            let own = doc! { "_id": { "$in": ids }, UNCHECKED: self.mark };
            let deleted = match (self.writer.delete_all)(context, self.definition, own).await {
                // A document already refers to the child: the child stays, and is an orphan.
                Err(Error::DeleteRestricted { .. }) => return Err(self.dangling()),
                deleted => deleted?,
            };
            unsure += (ids.len() as u64).saturating_sub(deleted);
        }
        let kept = (self.inserted.len() - taken.len()) as u64;
        if kept > 0 {
            let filter = match &self.inserted[..] {
                [(id, _)] => doc! { "_id": { "$eq": id }, UNCHECKED: self.mark },
                _ => doc! { UNCHECKED: self.mark },
            };
            let update = doc! { "$unset": { UNCHECKED: "" } };
            unsure += kept.saturating_sub(change_all(context, self.definition, filter, update).await?);
        }
        match gone {
            // Another client has checked the children too: an existing child was right at the time.
            Some(error) if unsure == 0 || !all_exist(context, self.definition, &taken).await? => Err(error),
            None if unsure > 0 && !self.some_only => {
                let ids: Vec<Bson> = self.inserted.iter().map(|(id, _)| id.clone()).collect();
                match all_exist(context, self.definition, &ids).await? {
                    true => Ok(()),
                    // The child was deleted with the parent, or another client has taken the child back.
                    false => Err(self.dangling()),
                }
            }
            _ => Ok(()),
        }
    }

    /// Returns the error that reports the first parent as missing.
    fn dangling(&self) -> Error {
        let all = self.rules.iter().zip(&self.parents);
        let none = HashSet::new();
        let first = all.map(|(ruled, referred)| refuse(ruled, referred, &none)).find_map(Result::err);
        first.unwrap_or_else(|| Error::not_found(self.definition))
    }
}

/// Returns the parents that an update makes children refer to; `None` where only the server knows.
fn added(ruled: &Ruled, changes: &ChangeSet) -> Option<Vec<Bson>> {
    let (name, mut parents) = (ruled.name(), Vec::new());
    let of = |value: Bson| ruled.parents_of(&doc! { name: value });
    for effect in changes.effects_on(name) {
        match effect {
            FieldEffect::Set(value) => parents.extend(of(value.clone())),
            FieldEffect::Add { elements, .. } => parents.extend(of(Bson::Array(elements.to_vec()))),
            FieldEffect::Unset | FieldEffect::Remove(_) | FieldEffect::Insert => {}
            FieldEffect::Increase(_) | FieldEffect::Unknown => return None,
        }
    }
    Some(parents)
}

/// Returns the parents that exist and are not being deleted.
async fn there(context: &Context, ruled: &Ruled, referred: &Referred) -> Result<HashSet<Key>> {
    let ids: Vec<Bson> = referred.ids.iter().map(|(parent, _)| parent.clone()).collect();
    let presence = presence_of(context, ruled.parent, &ids).await?;
    Ok(presence.into_iter().filter(|(_, presence)| *presence == Presence::There).map(|(key, _)| key).collect())
}

/// Touches the parents, so that a delete of a parent conflicts with the transaction.
async fn touch(context: &Context, ruled: &Ruled, referred: &Referred) -> Result<()> {
    let parents: Vec<&Bson> = referred.ids.iter().map(|(parent, _)| parent).collect();
    let expected = parents.len() as u64;
    if touch::touch(context, ruled.parent, Touch::Parents(parents)).await? < expected {
        refuse(ruled, referred, &there(context, ruled, referred).await?)?;
    }
    Ok(())
}

/// Returns an error where one of the parents is not among the existing parents.
fn refuse(ruled: &Ruled, referred: &Referred, there: &HashSet<Key>) -> Result<()> {
    match referred.ids.iter().find(|(parent, _)| !there.contains(&Key::of(parent))) {
        None => Ok(()),
        Some((parent, child)) => {
            let place = (ruled.child.model, ruled.relation.field);
            Err(Error::dangling(place, ruled.parent.collection, parent.clone(), child.clone()))
        }
    }
}
