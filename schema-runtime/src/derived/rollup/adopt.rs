//! New parents: children that refer to them may be there already. Reaches the server.

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, doc, oid::ObjectId};

use super::{
    apply::CHUNK,
    mark::{Mark, is_about_as_old},
    path::RollupPath,
};
use crate::{document::value_at, error::Result, executor::Context, read::Query};

impl RollupPath {
    /// What follows the insert of parents with this mark.
    pub(super) fn adopt<'a>(&'a self, context: &'a Context, mark: Mark, ids: &'a [Bson]) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            for ids in ids.chunks(CHUNK) {
                if self.has_children(context, ids).await? || !self.open_untouched(context, mark, ids).await? {
                    self.adopt_children(context, ids).await?;
                    let new = doc! { "_id": { "$in": ids }, self.state("new"): mark };
                    self.update_parents(context, new, doc! { "$unset": { self.state("new"): "" } }).await?;
                }
            }
            Ok(())
        })
    }

    /// Parents without children are done, unless somebody has written them since they were inserted: whether nobody has. Whoever has
    /// read them before corrects them no more.
    async fn open_untouched(&self, context: &Context, mark: Mark, ids: &[Bson]) -> Result<bool> {
        let untouched = doc! {
            "_id": { "$in": ids },
            self.state("new"): mark, self.state("last"): { "$exists": false }, self.state("corrected"): mark,
        };
        let opened = doc! { "$unset": { self.state("new"): "" }, "$set": { self.state("corrected"): ObjectId::new() } };
        Ok(self.update_parents(context, untouched, opened).await? == ids.len() as u64)
    }

    /// Whether a child refers to one of these parents, or has a record about it.
    async fn has_children(&self, context: &Context, ids: &[Bson]) -> Result<bool> {
        let any = doc! { "$or": [{ self.reference: { "$in": ids } }, { self.at_parent(): { "$in": ids } }] };
        Ok(Query::new(self.child.collection, any).first_id(&context.newest()).await?.is_some())
    }

    /// Recomputes those of these parents that are younger than a mark that they have applied, of which others have taken over
    /// records: these may have found no parent.
    pub(super) async fn recompute_young(&self, context: &Context, mark: ObjectId, ids: &[Bson]) -> Result<()> {
        for ids in ids.chunks(CHUNK) {
            let parents = self.parents(&context.newest(), ids, &[]).await?;
            let is_young = |parent: &&Document| match value_at(parent, &self.state("corrected")) {
                Bson::ObjectId(since) => is_about_as_old(since, mark),
                _ => false,
            };
            let young: Vec<Bson> =
                parents.iter().filter(is_young).filter_map(|parent| parent.get("_id").cloned()).collect();
            if !young.is_empty() {
                self.recompute_new(context, &young).await?;
            }
        }
        Ok(())
    }

    /// Counts the children that new parents have. A client may have found no parent, and be about to clear a record: so the records
    /// that are there are taken over first.
    pub(super) async fn adopt_children(&self, context: &Context, ids: &[Bson]) -> Result<()> {
        let recorded = Query::new(self.child.collection, doc! { self.at_parent(): { "$in": ids } });
        for mark in self.marks_borne(&context.newest(), recorded).await? {
            // Where a child is refused, others of its mark are not: that is for a recover.
            drop(self.take_over(context, mark).await?);
        }
        // What was found cleared may be so on the primary alone, and the recompute reads as a majority has it: this write comes after it, and
        // waits until it is on one.
        let corrected = doc! { "$set": { self.state("corrected"): ObjectId::new() } };
        self.update_parents(context, doc! { "_id": { "$in": ids } }, corrected).await?;
        self.recompute_new(context, ids).await
    }

    /// The same of a parent whose client has stopped, or is about to do it.
    pub(super) async fn adopt_new(&self, context: &Context, parent: &Document, mine: Mark) -> Result<()> {
        let Some(id) = parent.get("_id") else { return Ok(()) };
        // It is read as a majority has it: so it is on one first.
        let new = doc! { "_id": { "$eq": id }, self.state("new"): value_at(parent, &self.state("new")) };
        self.update_parents(context, new, doc! { "$set": { self.state("new"): mine } }).await?;
        self.adopt_children(context, std::slice::from_ref(id)).await?;
        let new = doc! { "_id": { "$eq": id }, self.state("new"): mine };
        self.update_parents(context, new, doc! { "$unset": { self.state("new"): "" } }).await.map(drop)
    }
}
