//! Updates of children: what is to be changed gets a record first, and the update is of what bears it. Reaches the server.

use std::{
    collections::{HashMap, HashSet},
    ops::ControlFlow,
};

use mongodb::bson::{Bson, Document, RawDocument, doc, oid::ObjectId};

use super::{
    apply::change,
    mark::Mark,
    path::{GONE, RollupPath, paths_of_child, paths_of_parent},
    take_over::is_taken,
    writing::{Many, Marked, RollupWriting},
};
use crate::{
    definition::ModelDefinition,
    document::{equal_to, put, value_at},
    error::{Error, Result},
    executor::{Attempts, Context, Sent},
    read::Query,
};

/// The marks that these documents bear in these paths.
fn borne<'a>(documents: &'a [Document], paths: &'a [RollupPath]) -> impl Iterator<Item = ObjectId> + 'a {
    let marks = move |document: &'a Document| {
        paths.iter().filter_map(move |path| value_at(document, &path.mark()).as_object_id())
    };
    documents.iter().flat_map(marks)
}

/// How many documents that others hold up are read together.
const PAGE: u64 = 10_000;

impl RollupWriting {
    /// An update in the server's words is prepared. `false` where it touches no rolled-up field.
    pub(super) async fn fill_update(&mut self, context: &Context, sent: &mut Sent, many: bool) -> Result<bool> {
        if self.together {
            return Ok(false);
        }
        let mut changed = Vec::new();
        for path in paths_of_child(self.definition) {
            if path.concerns(&sent.touched) {
                let moves = sent.touched.iter().any(|touched| path.moves(touched));
                let to = sent.update.get_document("$set").ok().and_then(|set| set.get(path.reference)).cloned();
                self.marked.push(Marked { path: path.clone(), deltas: None, is_unnamed: moves && to.is_none() });
                changed.push((path, to));
            } else if sent.upsert {
                put(&mut sent.update, "$setOnInsert", path.record(), doc! { "mark": self.mark, "at": [] });
                self.marked.push(Marked { path, deltas: None, is_unnamed: true });
            }
        }
        self.note_id(equal_to(&sent.filter, "_id"));
        if !changed.is_empty() {
            let asked = sent.filter.clone();
            let prepared = self.prepare(context, &asked, &changed, many).await?;
            self.prepared = prepared;
            self.written = if many { 0 } else { prepared };
            let mut pin: Document = changed.iter().map(|(path, _)| (path.mark(), Bson::from(self.mark))).collect();
            sent.upsert &= prepared == 0;
            if sent.upsert {
                for (path, _) in &changed {
                    // The mark comes from the filter.
                    put(&mut sent.update, "$setOnInsert", path.at(), Bson::Array(Vec::new()));
                }
                self.marked.iter_mut().for_each(|marked| marked.is_unnamed = true);
            }
            if let (true, Some((path, _))) = (many, changed.first()) {
                put(&mut sent.update, "$addToSet", path.by(), self.mark);
                pin.insert(path.by(), doc! { "$ne": self.mark });
                self.many = Some(Many { path: path.clone(), filter: asked, prepared });
            }
            sent.filter = doc! { "$and": [sent.filter.clone(), pin] };
        }
        if sent.upsert {
            self.inserted = paths_of_parent(self.definition);
            for path in &self.inserted {
                put(&mut sent.update, "$setOnInsert", path.states(), doc! { "new": self.mark, "corrected": self.mark });
                for (name, empty) in path.empty() {
                    if let Some(empty) = empty {
                        put(&mut sent.update, "$setOnInsert", name, empty);
                    }
                }
            }
        }
        Ok(!self.marked.is_empty() || !self.inserted.is_empty())
    }

    /// What is asked for gets a record, once it bears nobody else's: how many documents.
    async fn prepare(
        &self,
        context: &Context,
        asked: &Document,
        changed: &[(RollupPath, Option<Bson>)],
        many: bool,
    ) -> Result<u64> {
        let paths: Vec<RollupPath> = changed.iter().map(|(path, _)| path.clone()).collect();
        let own = self.own_marks(context, many).await;
        let record = |(path, to): &(RollupPath, Option<Bson>)| {
            (path.record(), Bson::from(path.recorded(self.mark, to.as_ref(), &own)))
        };
        let set: Document = changed.iter().map(record).collect();
        // A record that comes back in a rollback, or is lost in one, is no harm: nothing is changed yet.
        let quickly = context.on_the_primary();
        self.until_free(context, &quickly, asked, &paths, many, &[doc! { "$set": set }]).await
    }

    /// Sends an update by pipeline (by `sending`) to what is asked for and bears no record, and takes over what does.
    pub(super) async fn until_free(
        &self,
        context: &Context,
        sending: &Context,
        asked: &Document,
        paths: &[RollupPath],
        many: bool,
        pipeline: &[Document],
    ) -> Result<u64> {
        let Some(first) = paths.first() else { return Ok(0) };
        let own = self.own_marks(context, many).await;
        context.note_mark(self.mark.id).await;
        let free = |asked: &Document| doc! { "$and": [asked.clone(), { "$nor": [is_taken(paths, &own)] }] };
        let (mut prepared, mut still) = (0, asked.clone());
        let (mut attempts, mut refused) = (Attempts::default(), HashMap::new());
        loop {
            prepared += change(sending, first.child, free(&still), pipeline.to_vec(), many).await?;
            if prepared > 0 && !many {
                return Ok(prepared);
            }
            // Asked of all, since one that bore a record may have none by now.
            let left = self.unprepared(context, &still, paths, &own, many).await?;
            if left.is_empty() {
                return Ok(prepared);
            }
            // Of those that were refused as this one's own are, the others are free by now.
            if let Some(mark) = borne(&left, paths).find(|mark| refused.contains_key(mark))
                && let Some(error) = refused.remove(&mark)
            {
                return Err(error);
            }
            if many && (left.len() as u64) < PAGE {
                // What others insert from now on is not asked for, or there would be no end.
                let ids: Vec<Bson> = left.iter().filter_map(|document| document.get("_id").cloned()).collect();
                still = doc! { "$and": [asked.clone(), { "_id": { "$in": ids } }] };
            }
            // Most writers are done soon.
            if attempts.again().await? > 1 {
                // What others count by is not lost by a failover: only the preparation may be.
                refused = self.take_over_all(&context.majority(), &left, paths).await?;
            }
        }
    }

    /// The marks of the same transaction. Of many documents also the mark of this write: where another has taken over the record of one
    /// path, those of the others are prepared once more.
    async fn own_marks(&self, context: &Context, many: bool) -> Vec<ObjectId> {
        let mut own = context.own_marks().await;
        own.extend(many.then_some(self.mark.id));
        own
    }

    /// What is asked for and does not bear the mark of this write: one document, or all (`many`).
    async fn unprepared(
        &self,
        context: &Context,
        asked: &Document,
        paths: &[RollupPath],
        own: &[ObjectId],
        many: bool,
    ) -> Result<Vec<Document>> {
        let others: Vec<Document> = paths.iter().map(|path| doc! { path.mark(): { "$ne": self.mark } }).collect();
        let mut query = Query::new(self.definition.collection, doc! { "$and": [asked.clone(), { "$or": others }] });
        query.projection = paths_of_child(self.definition).iter().map(|path| (path.mark(), Bson::Int32(1))).collect();
        query.projection.insert(GONE, 1);
        query.limit = if many { PAGE } else { 1 };
        if !own.is_empty() {
            // What this write deletes already, or this transaction has deleted, is not there for it.
            query.filter = doc! { "$and": [query.filter, { GONE: { "$nin": own } }] };
        }
        query.all(&context.newest()).await
    }

    /// Takes over the records that others have left in documents: of what is being deleted those of all paths, after which it goes.
    ///
    /// Of which marks the server has refused some, and why.
    async fn take_over_all(
        &self,
        context: &Context,
        documents: &[Document],
        paths: &[RollupPath],
    ) -> Result<HashMap<ObjectId, Error>> {
        let (mut taken, mut refused) = (HashSet::new(), HashMap::new());
        for path in &paths_of_child(self.definition) {
            let is_asked = paths.iter().any(|asked| asked.is(path));
            for document in documents.iter().filter(|document| is_asked || document.contains_key(GONE)) {
                if let Bson::ObjectId(mark) = value_at(document, &path.mark())
                    && mark != self.mark.id
                    && taken.insert((path.name.clone(), mark))
                {
                    refused.extend(path.take_over(context, mark).await?.refused.map(|error| (mark, error)));
                }
            }
        }
        if let Some(path) = paths.first().filter(|path| !path.is_only_path())
            && documents.iter().any(|document| document.contains_key(GONE))
        {
            path.delete_gone(context).await?;
        }
        Ok(refused)
    }

    /// Whether the update of many has lost some of what it was of to others, so that it is to be sent once more: it is
    /// prepared again for those, and is not of what it has changed.
    pub(super) async fn has_lost(&mut self, context: &Context, matched: u64) -> Result<bool> {
        self.written += matched;
        let Some(many) = &mut self.many else { return Ok(false) };
        many.prepared = many.prepared.saturating_sub(matched);
        if many.prepared == 0 {
            return Ok(false);
        }
        let (by, filter) = (many.path.by(), many.filter.clone());
        let unwritten = doc! { by.as_str(): { "$ne": self.mark } };
        let paths: Vec<RollupPath> = self.marked.iter().map(|marked| marked.path.clone()).collect();
        self.abandon(context, &unwritten).await?;
        let asked = doc! { "$and": [filter, unwritten] };
        let changed: Vec<_> = paths.into_iter().map(|path| (path, None)).collect();
        let prepared = self.prepare(context, &asked, &changed, true).await?;
        // The parents that they get are not named by such a record.
        self.marked.iter_mut().for_each(|marked| marked.is_unnamed = true);
        if let Some(many) = &mut self.many {
            many.prepared = prepared;
        }
        Ok(prepared > 0)
    }

    /// The update found nothing: what was prepared for it is not changed. Whether it is worth another attempt.
    pub(super) async fn has_missed(&self, context: &Context) -> Result<bool> {
        if self.prepared > 0 {
            self.abandon(&context.majority(), &Document::new()).await?;
        }
        Ok(self.prepared > 0)
    }

    /// Clears the records of documents that were not changed.
    async fn abandon(&self, context: &Context, more: &Document) -> Result<()> {
        for Marked { path, .. } in &self.marked {
            let mut filter = doc! { path.mark(): self.mark };
            filter.extend(more.clone());
            path.unset(context, filter, None).await?;
        }
        Ok(())
    }

    /// Whether it leaves out what others have begun to change since it was prepared.
    pub(super) fn is_pinned(&self) -> bool {
        self.marked.iter().any(|marked| marked.deltas.is_none())
    }

    /// An upsert may have inserted a document, and its answer does not say: it has the mark of this write.
    pub(super) async fn find_inserted(&mut self, context: &Context) -> Result<()> {
        let Some(path) = self.inserted.first() else { return Ok(()) };
        let query = Query::new(self.definition.collection, doc! { path.state("new"): self.mark });
        let id = query.first_id(&context.majority()).await?;
        self.note_upserted(id);
        Ok(())
    }

    /// An upsert has inserted these.
    pub(super) fn note_upserted(&mut self, ids: impl IntoIterator<Item = Bson>) {
        if !self.inserted.is_empty() {
            self.inserted_ids.extend(ids);
        }
    }
}

impl RollupPath {
    /// The marks that these children bear, each once.
    pub(super) async fn marks_borne(&self, context: &Context, mut query: Query) -> Result<Vec<ObjectId>> {
        query.projection = doc! { "_id": 0, self.mark(): 1 };
        let mut marks = HashSet::new();
        let visit = |child: &RawDocument| {
            let record = child.get_document(self.record()).ok();
            marks.extend(record.and_then(|record| record.get_object_id("mark").ok()));
            Ok(ControlFlow::Continue(()))
        };
        query.for_each(context, visit).await?;
        Ok(marks.into_iter().collect())
    }

    /// The record of a child that is to be changed: its parent counts what it says now. `to` is the parent that it gets.
    ///
    /// A record of the same transaction stays, with another mark: nobody else has seen the first, and what it says of the parents is what
    /// they count.
    pub(super) fn recorded(&self, mark: Mark, to: Option<&Bson>, own: &[ObjectId]) -> Document {
        let reference = format!("${}", self.reference);
        let has_none = doc! { "$eq": [{ "$ifNull": [&reference, null] }, null] };
        let now = doc! { "parent": &reference, "has": self.said_of_child() };
        let mut at = doc! { "$cond": [has_none, [], [now]] };
        if !own.is_empty() {
            let is_own = doc! { "$in": [format!("${}", self.mark()), { "$literal": own }] };
            at = doc! { "$cond": [is_own, self.concerned(), at] };
        }
        if let Some(to) = to.filter(|to| **to != Bson::Null) {
            let is_named = doc! { "$in": [{ "$literal": to }, "$$at.parent"] };
            let named =
                doc! { "$cond": [is_named, "$$at", { "$concatArrays": ["$$at", [{ "parent": { "$literal": to } }]] }] };
            at = doc! { "$let": { "vars": { "at": at }, "in": named } };
        }
        doc! { "mark": mark, "at": at }
    }

    /// Names in the records of a write the parents that the children have by now.
    pub(super) async fn name_parents(&self, context: &Context, mark: Mark) -> Result<()> {
        let pipeline = vec![doc! { "$set": { self.at(): self.concerned() } }];
        change(context, self.child, doc! { self.mark(): mark }, pipeline, true).await.map(drop)
    }

    /// An update of many is done: nobody has to tell what it has changed.
    pub(super) async fn release(&self, context: &Context, mark: Mark) -> Result<()> {
        change(context, self.child, doc! { self.by(): mark }, self.released(doc! { "$ne": ["$$this", mark] }), true)
            .await
            .map(drop)
    }

    /// Leaves these updates of many in a record, and nothing of it if there are none and no mark.
    pub(super) fn released(&self, stays: Document) -> Vec<Document> {
        let (record, by) = (format!("${}", self.record()), format!("${}", self.by()));
        let left = doc! { "$filter": { "input": by, "cond": stays } };
        let has_mark = doc! { "$ne": [{ "$type": format!("${}", self.mark()) }, "missing"] };
        let is_empty = doc! { "$eq": ["$$left", []] };
        let kept = doc! {
            "mark": format!("{record}.mark"), "at": format!("{record}.at"),
            "by": { "$cond": [&is_empty, "$$REMOVE", "$$left"] },
        };
        let so = doc! { "$cond": [{ "$or": [has_mark, { "$not": [is_empty] }] }, kept, "$$REMOVE"] };
        vec![doc! { "$set": { self.record(): { "$let": { "vars": { "left": left }, "in": so } } } }]
    }
}

/// What a document must have for a replacement by this to change nothing that its parents keep.
pub(super) fn is_unchanged(definition: &'static ModelDefinition, own: &Document) -> Vec<Document> {
    let paths = paths_of_child(definition);
    let names = paths.iter().flat_map(|path| path.watched().chain([path.reference]));
    names.map(|name| doc! { name: { "$eq": value_at(own, name) } }).collect()
}
