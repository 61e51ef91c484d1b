//! What children say and what their parents count of them, in aggregations. What is borne of one mark is read as the primary has
//! it. Reaches the server.

use std::collections::HashMap;

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, doc, oid::ObjectId};

use super::{
    path::{GONE, RollupPath},
    tally::{Delta, Tally},
};
use crate::{
    error::Result,
    executor::Context,
    key::Key,
    read::{Aggregate, Query},
};

/// The marks that parents have applied, among those that children bear.
pub(super) type Applied = Vec<(Bson, ObjectId)>;

impl RollupPath {
    /// The differences between what the parents count of the children with this mark, and what those say.
    pub(super) fn deltas<'a>(&'a self, context: &'a Context, mark: ObjectId) -> BoxFuture<'a, Result<Vec<Delta>>> {
        Box::pin(async move {
            let has = |of: &str| doc! { "$mergeObjects": [of, { "_id": "$_id" }] };
            // What each parent counted, and what the child says now; a parent for which that is the same is left out.
            let entry = doc! { "parent": "$$this.parent", "old": "$$this.has", "new": self.says_now() };
            let entries = doc! { "$map": { "input": self.concerned(), "in": entry } };
            let signed = |of: &str, sign: &str| {
                let value = doc! { "p": "$$this.parent", "s": sign, "v": has(&format!("$$this.{of}")) };
                let is_there = doc! { "$eq": [{ "$type": format!("$$this.{of}") }, "object"] };
                doc! { "$cond": [is_there, [value], []] }
            };
            let both = doc! { "$concatArrays": ["$$value", signed("old", "-"), signed("new", "+")] };
            let changed = doc! { "$filter": { "input": entries, "cond": { "$ne": ["$$this.old", "$$this.new"] } } };
            let reduced = doc! { "$reduce": { "input": changed, "initialValue": [], "in": both } };
            let mut group = doc! { "_id": { "p": "$p", "s": "$s" } };
            group.extend(self.accumulators());
            let pipeline = vec![
                doc! { "$match": { self.mark(): mark } },
                doc! { "$project": { "e": reduced } },
                doc! { "$unwind": "$e" },
                doc! { "$replaceWith": "$e" },
                doc! { "$group": group },
            ];
            let mut deltas: HashMap<Key, Delta> = HashMap::new();
            for found in self.all(&context.newest(), pipeline).await? {
                let Ok(of) = found.get_document("_id") else { continue };
                let parent = of.get("p").cloned().unwrap_or(Bson::Null);
                let delta = deltas.entry(Key::of(&parent)).or_insert_with(|| Delta {
                    parent,
                    plus: Tally::default(),
                    minus: Tally::default(),
                });
                let side =
                    if of.get_str("s").is_ok_and(|sign| sign == "+") { &mut delta.plus } else { &mut delta.minus };
                *side = self.tally(&found);
            }
            Ok(deltas.into_values().collect())
        })
    }

    /// The entries of a record, and one of the parent that the child refers to.
    pub(super) fn concerned(&self) -> Document {
        let (at, reference) = (format!("${}", self.at()), format!("${}", self.reference));
        let is_named = doc! { "$in": [&reference, format!("{at}.parent")] };
        let has_none = doc! { "$eq": [{ "$ifNull": [&reference, null] }, null] };
        let more = doc! { "$cond": [{ "$or": [is_named, has_none] }, [], [{ "parent": &reference }]] };
        doc! { "$concatArrays": [at, more] }
    }

    /// What the child says now of the parent of an entry: nothing if it refers to another, or is being deleted.
    pub(super) fn says_now(&self) -> Document {
        let refers = doc! { "$eq": ["$$this.parent", format!("${}", self.reference)] };
        doc! { "$cond": [{ "$and": [refers, { "$not": [self.is_gone()] }] }, self.said_of_child(), "$$REMOVE"] }
    }

    /// Whether the child is being deleted.
    fn is_gone(&self) -> Document {
        doc! { "$ne": [{ "$type": format!("${GONE}") }, "missing"] }
    }

    /// What a child says, as a value: an expression of an empty document is not one of an empty object.
    pub(super) fn said_of_child(&self) -> Bson {
        match self.said() {
            said if said.is_empty() => doc! { "$literal": {} }.into(),
            said => said.into(),
        }
    }

    /// What these parents count, by the invariant, if they have applied these marks. A single read of the children, since a transaction
    /// allows no `$unionWith`.
    pub(super) fn counted(&self, parents: &[Bson], applied: &Applied) -> Vec<Document> {
        let plain = doc! {
            self.reference: { "$in": parents },
            self.mark(): { "$exists": false },
            GONE: { "$exists": false },
        };
        let alone = doc! { "p": format!("${}", self.reference), "v": self.said_of_child() };
        let has_none = doc! { "$eq": [{ "$type": format!("${}", self.mark()) }, "missing"] };
        let entries = doc! { "$cond": [has_none, [alone], self.entries(parents, applied)] };
        let children = doc! { "$or": [plain, { self.at_parent(): { "$in": parents } }] };
        self.grouped(Self::each_entry(children, entries.into()))
    }

    /// The same of the children that bear a record, as documents `{p, v}`.
    pub(super) fn counted_with_records(&self, parents: &[Bson], applied: &Applied) -> Vec<Document> {
        let children = doc! { self.at_parent(): { "$in": parents } };
        Self::each_entry(children, self.entries(parents, applied).into())
    }

    /// What each of these parents counts of a child that bears a record, as a list of `{p, v}`.
    fn entries(&self, parents: &[Bson], applied: &Applied) -> Document {
        let pairs = applied.iter().map(|(parent, mark)| doc! { "p": parent, "m": mark }).collect::<Vec<_>>();
        let has_applied =
            doc! { "$in": [{ "p": "$$this.parent", "m": format!("${}", self.mark()) }, { "$literal": pairs }] };
        let counts = doc! { "p": "$$this.parent", "v": { "$cond": [has_applied, self.says_now(), "$$this.has"] } };
        let about = doc! { "$filter": { "input": self.concerned(), "cond": { "$in": ["$$this.parent", { "$literal": parents }] } } };
        doc! { "$map": { "input": about, "in": counts } }
    }

    /// The entries of these children, a document for each, with the `_id` of the child in the value.
    fn each_entry(children: Document, entries: Bson) -> Vec<Document> {
        vec![
            doc! { "$match": children },
            doc! { "$project": { "e": entries } },
            doc! { "$unwind": "$e" },
            doc! { "$match": { "e.v": { "$type": "object" } } },
            doc! { "$project": { "_id": 0, "p": "$e.p", "v": { "$mergeObjects": ["$e.v", { "_id": "$_id" }] } } },
        ]
    }

    /// What these children say of the parents that they are about: one tally for each.
    pub(super) fn grouped(&self, mut children: Vec<Document>) -> Vec<Document> {
        let mut group = doc! { "_id": "$p" };
        group.extend(self.accumulators());
        children.push(doc! { "$group": group });
        children
    }

    /// The documents of an aggregation over the children.
    pub(super) async fn all(&self, context: &Context, pipeline: Vec<Document>) -> Result<Vec<Document>> {
        Aggregate { collection: Some(self.child.collection), pipeline }.all(context).await
    }

    /// What the protocol stores in these parents; one that is not there is not among them.
    pub(super) async fn parents(&self, context: &Context, ids: &[Bson], more: &[&str]) -> Result<Vec<Document>> {
        let mut query = Query::by_ids(self.parent.collection, ids);
        query.projection = doc! { self.states(): 1 };
        query.projection.extend(more.iter().map(|name| ((*name).to_owned(), Bson::Int32(1))));
        query.all(context).await
    }

    /// The marks of one kind in a parent that was read.
    pub(super) fn marks(&self, parent: &Document, of: &str) -> Vec<ObjectId> {
        let marks = parent.get_document(self.states()).ok().and_then(|state| state.get_array(of).ok());
        marks.into_iter().flatten().filter_map(Bson::as_object_id).collect()
    }
}
