//! The owner of a mark applies it to the parents, clears the records with it, and forgets it. Reaches the server.

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, doc, oid::ObjectId};

use super::{
    fold::or,
    mark::Mark,
    path::{GONE, RollupPath, paths_of_child},
    tally::Delta,
};
use crate::{
    codec,
    definition::ModelDefinition,
    error::{Error, Result, server},
    executor::{Context, Sent, Statement, in_commands},
    read::Query,
};

/// How many parents one command is for.
pub(super) const CHUNK: usize = 1_000;

/// What came of an apply.
#[derive(Default)]
pub(super) struct Applies {
    /// Somebody has taken over the mark.
    pub(super) is_revoked: bool,
    /// It was sent, and not answered: the server may do it yet.
    is_unanswered: bool,
    /// Somebody has taken over some of the records before they were cleared.
    pub(super) is_shared: bool,
    /// The parents that the server refused to write, and why the first.
    pub(super) refused: Vec<Bson>,
    error: Option<Error>,
}

/// The children that bear a mark: how many, and their `_id`s if they are known and few.
#[derive(Clone, Copy, Debug)]
pub(super) struct Children<'a> {
    pub(super) count: u64,
    pub(super) ids: Option<&'a [Bson]>,
}

/// What is known of the children that bear a mark.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Borne {
    /// None is being deleted.
    ByLiving,
    /// Some may be.
    ByAny,
}

/// Those with these `_id`s. They are found without the index of the marks, at whose end a search passes all entries that were
/// removed since the server has last written its pages.
pub(super) fn by_ids(ids: &[Bson]) -> (String, Bson) {
    ("_id".to_owned(), doc! { "$in": ids }.into())
}

impl RollupPath {
    /// All that follows a write of so many children: its difference is applied, its records are cleared, its mark is forgotten.
    pub(super) fn complete<'a>(
        &'a self,
        context: &'a Context,
        mark: Mark,
        deltas: Vec<Delta>,
        borne: Borne,
        children: Children<'a>,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let mut applies = self.apply_or_take_over(context, mark, &deltas).await?;
            if !applies.is_revoked {
                let cleared = self.clear(context, mark.id, borne, &applies.refused, children.ids).await?;
                applies.is_shared = cleared < children.count;
            }
            self.conclude(context, mark, deltas, applies).await
        })
    }

    /// Applies the mark, or takes over what bears it: then nothing does any more.
    pub(super) async fn apply_or_take_over(&self, context: &Context, mark: Mark, deltas: &[Delta]) -> Result<Applies> {
        let taken_over = |is_unanswered| Applies { is_revoked: true, is_unanswered, ..Applies::default() };
        let applies = match mark.is_old() {
            true => taken_over(false),
            false => match self.apply(context, mark.id, deltas).await {
                Ok(applies) => applies,
                // Whether it was applied tells the parent.
                Err(error) if !error.is_answered() => taken_over(true),
                Err(error) => return Err(error),
            },
        };
        if applies.is_revoked {
            self.take_over(context, mark.id).await?.whole()?;
        }
        Ok(applies)
    }

    /// What follows the clear.
    pub(super) async fn conclude(
        &self,
        context: &Context,
        mark: Mark,
        deltas: Vec<Delta>,
        applies: Applies,
    ) -> Result<()> {
        if let Some(error) = applies.error {
            return Err(error);
        }
        let parents: Vec<Bson> = deltas.iter().map(|delta| delta.parent.clone()).collect();
        if applies.is_shared || applies.is_revoked {
            self.recompute_young(context, mark.id, &parents).await?;
        }
        // What may still come finds it revoked.
        let known: &[&str] = if applies.is_unanswered { &["applied"] } else { &["applied", "revoked"] };
        self.forget(context, mark.id, &parents, known).await?;
        let lost = deltas.into_iter().filter(|delta| self.may_lose(delta));
        let stale: Vec<Bson> = lost.map(|delta| delta.parent).collect();
        if stale.is_empty() { Ok(()) } else { self.refresh_stale(context, &stale).await }
    }

    async fn apply(&self, context: &Context, mark: ObjectId, deltas: &[Delta]) -> Result<Applies> {
        let mut applies = Applies::default();
        let unapplied = |parent: &Bson| {
            doc! { "_id": { "$eq": parent }, self.state("applied"): { "$ne": mark }, self.state("revoked"): { "$ne": mark } }
        };
        let statement = |delta: &Delta| {
            let statement = Statement::new(unapplied(&delta.parent), self.applied(mark, delta), false);
            codec::encode(&statement).map_err(Error::encode)
        };
        let mut rest = deltas;
        for statements in in_commands(deltas.iter().map(statement))? {
            let (deltas, later) = rest.split_at(statements.len());
            rest = later;
            let written = context.update_all(self.parent.collection, statements, false).await;
            let written = written.map_err(|error| server::write(self.parent, error))?;
            applies
                .refused
                .extend(written.refused.iter().filter_map(|refused| Some(deltas.get(refused.index)?.parent.clone())));
            if written.count as usize + written.refused.len() < deltas.len() {
                // Not there; or revoked, or inserted since: then the records are taken over.
                let ids: Vec<Bson> = deltas.iter().map(|delta| delta.parent.clone()).collect();
                let parents = self.parents(&context.newest(), &ids, &[]).await?;
                let is_refused = |parent: &Document| parent.get("_id").is_some_and(|id| applies.refused.contains(id));
                let has_not =
                    |parent: &&Document| !is_refused(parent) && !self.marks(parent, "applied").contains(&mark);
                applies.is_revoked |= parents.iter().any(|parent| has_not(&parent));
            }
            if let Err(error) = written.complete() {
                let error = server::write(self.parent, error);
                if applies.refused.is_empty() {
                    return Err(error);
                }
                applies.error.get_or_insert(error);
            }
        }
        Ok(applies)
    }

    /// The records with this mark go, and the children that are being deleted: how many. `refused` are parents that do not have it.
    /// `ids` are the children, where they are known.
    pub(super) async fn clear(
        &self,
        context: &Context,
        mark: ObjectId,
        borne: Borne,
        refused: &[Bson],
        ids: Option<&[Bson]>,
    ) -> Result<u64> {
        let of_mark = || {
            let mut filter = doc! { self.mark(): mark };
            filter.extend(ids.map(by_ids));
            if !refused.is_empty() {
                filter.insert(self.at_parent(), doc! { "$nin": refused });
                filter.insert(self.reference, doc! { "$nin": refused });
            }
            filter
        };
        let mut cleared = 0;
        if borne == Borne::ByAny && self.is_only_path() {
            let mut gone = of_mark();
            gone.insert(GONE, doc! { "$exists": true });
            cleared += context
                .delete_many(self.child.collection, gone)
                .await
                .map_err(|error| server::write(self.child, error))?;
        }
        cleared += self.unset(context, of_mark(), Some(mark)).await?;
        if borne == Borne::ByAny && !self.is_only_path() {
            self.delete_gone(context).await?;
        }
        Ok(cleared)
    }

    /// Takes a mark out of records that match, and leaves in them the updates of many that are not done, but for this one.
    pub(super) async fn unset(&self, context: &Context, filter: Document, done: Option<ObjectId>) -> Result<u64> {
        let stays = match done {
            Some(done) => doc! { "$ne": ["$$this", done] },
            None => doc! { "$literal": true },
        };
        let left = doc! { "$filter": { "input": or(&self.by(), Bson::Array(Vec::new())), "cond": stays } };
        let rest = doc! { "$cond": [{ "$eq": ["$$left", []] }, "$$REMOVE", { "by": "$$left" }] };
        let rest = doc! { "$let": { "vars": { "left": left }, "in": rest } };
        change_all(context, self.child, filter, vec![doc! { "$set": { self.record(): rest } }]).await
    }

    /// Deletes what no path has a record of any more.
    pub(super) async fn delete_gone(&self, context: &Context) -> Result<u64> {
        let mut filter = doc! { GONE: { "$exists": true } };
        for path in paths_of_child(self.child) {
            filter.insert(path.mark(), doc! { "$exists": false });
        }
        let deleted = context.delete_many(self.child.collection, filter).await;
        deleted.map_err(|error| server::write(self.child, error))
    }

    /// Whether the children have no other parents.
    pub(super) fn is_only_path(&self) -> bool {
        self.child.relations.iter().filter(|relation| relation.rolled_up).count() == 1
    }

    /// No child bears the mark any more. One that comes back in a rollback is no harm.
    pub(super) async fn forget(
        &self,
        context: &Context,
        mark: ObjectId,
        parents: &[Bson],
        known: &[&'static str],
    ) -> Result<()> {
        let context = context.on_the_primary();
        for parents in parents.chunks(CHUNK) {
            let knows: Vec<Document> = known.iter().map(|of| doc! { self.state(of): mark }).collect();
            let filter = doc! { "_id": { "$in": parents }, "$or": knows };
            change(&context, self.parent, filter, self.forgotten(mark, known), true).await?;
        }
        Ok(())
    }

    /// An update of all parents that match.
    pub(super) async fn update_parents(&self, context: &Context, filter: Document, update: Document) -> Result<u64> {
        let sent = Sent { filter, update, ..Sent::default() };
        let updated = context.update_many(self.parent.collection, sent).await;
        Ok(updated.map_err(|error| server::write(self.parent, error))?.matched_count)
    }
}

/// An update by pipeline of parents or of children: how many matched.
pub(super) async fn change(
    context: &Context,
    model: &'static ModelDefinition,
    filter: Document,
    pipeline: Vec<Document>,
    many: bool,
) -> Result<u64> {
    let changed = context.update_with_pipeline(model.collection, filter, pipeline, many).await;
    changed.map_err(|error| server::write(model, error))
}

/// The same of all that match. What the server refuses is left out, and is the error when the others are done.
pub(super) async fn change_all(
    context: &Context,
    model: &'static ModelDefinition,
    filter: Document,
    pipeline: Vec<Document>,
) -> Result<u64> {
    let changed = change(context, model, filter.clone(), pipeline.clone(), true).await;
    if !changed.as_ref().is_err_and(Error::is_refusal) || context.in_transaction() {
        return changed;
    }
    let query = Query { batch_size: CHUNK as u32, ..Query::new(model.collection, filter.clone()) };
    let (mut ids, mut count, mut refused) = (query.ids(&context.newest()).await?, 0, None);
    while let Some(batch) = ids.next().await? {
        let statement = |id: Bson| {
            let one = doc! { "$and": [filter.clone(), { "_id": { "$eq": id } }] };
            codec::encode(&Statement::new(one, pipeline.clone(), false)).map_err(Error::encode)
        };
        for statements in in_commands(batch.into_iter().map(statement))? {
            let written = context.update_all(model.collection, statements, false).await;
            let written = written.map_err(|error| server::write(model, error))?;
            count += written.count;
            if let Err(error) = written.complete() {
                refused.get_or_insert(server::write(model, error));
            }
        }
    }
    refused.map_or(Ok(count), Err)
}
