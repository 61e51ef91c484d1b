//! Taking over the records with a mark of somebody else, or with one's own that another has revoked. Reaches the server.

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, doc, oid::ObjectId};

use super::{
    apply::{Borne, CHUNK, Children, change},
    mark::Mark,
    path::{GONE, RollupPath},
};
use crate::{error::Result, executor::Context};

impl RollupPath {
    /// Takes over all records with this mark: how many there were.
    pub(super) fn take_over<'a>(&'a self, context: &'a Context, mark: ObjectId) -> BoxFuture<'a, Result<u64>> {
        Box::pin(async move {
            let mut taken = 0;
            loop {
                let parents = self.parents_of(context, mark).await?;
                if parents.is_empty() {
                    return Ok(taken);
                }
                let parents: Vec<Bson> = parents.into_iter().filter(|parent| *parent != Bson::Null).collect();
                self.revoke(context, mark, &parents).await?;
                let mut applied = Vec::new();
                for ids in parents.chunks(CHUNK) {
                    for parent in self.parents(&context.newest(), ids, &[]).await? {
                        if self.marks(&parent, "applied").contains(&mark) {
                            applied.extend(parent.get("_id").cloned());
                        }
                    }
                }
                let mine = Mark::new();
                let replaced = self.replace(context, mark, mine, &parents, &applied).await?;
                taken += replaced;
                let deltas = self.deltas(context, mine.id).await?;
                let children = Children { count: replaced, ids: None };
                self.complete(context, mine, deltas, Borne::ByAny, children).await?;
            }
        })
    }

    /// The parents that the records with this mark are about, and null for children that have none; nothing if there are no records.
    async fn parents_of(&self, context: &Context, mark: ObjectId) -> Result<Vec<Bson>> {
        let parents = doc! { "$map": { "input": self.concerned(), "in": "$$this.parent" } };
        let pipeline = vec![
            doc! { "$match": { self.mark(): mark } },
            doc! { "$project": { "p": { "$concatArrays": [parents, [null]] } } },
            doc! { "$unwind": "$p" },
            doc! { "$group": { "_id": "$p" } },
        ];
        let found = self.all(&context.newest(), pipeline).await?;
        Ok(found.into_iter().filter_map(|mut found| found.remove("_id")).collect())
    }

    /// The owner of the mark does not apply it to these parents, unless it has.
    async fn revoke(&self, context: &Context, mark: ObjectId, parents: &[Bson]) -> Result<()> {
        for ids in parents.chunks(CHUNK) {
            let filter = doc! { "_id": { "$in": ids }, self.state("applied"): { "$ne": mark } };
            self.update_parents(context, filter, doc! { "$addToSet": { self.state("revoked"): mark } }).await?;
        }
        Ok(())
    }

    /// A mark of one's own in the place of another, with what each parent counts now: how many records.
    async fn replace(
        &self,
        context: &Context,
        mark: ObjectId,
        mine: Mark,
        parents: &[Bson],
        applied: &[Bson],
    ) -> Result<u64> {
        let has_applied = doc! { "$in": ["$$this.parent", { "$literal": applied }] };
        let entry =
            doc! { "parent": "$$this.parent", "has": { "$cond": [has_applied, self.says_now(), "$$this.has"] } };
        let at = doc! { "$map": { "input": self.concerned(), "in": entry } };
        let pipeline = vec![doc! { "$set": { self.mark(): mine, self.at(): at } }];
        // By now a child may be of another parent, which is not revoked: that is for the next round.
        let known: Vec<Bson> = parents.iter().cloned().chain([Bson::Null]).collect();
        let is_of_others = doc! { "$elemMatch": { "parent": { "$nin": &known } } };
        let filter = doc! { self.mark(): mark, self.reference: { "$in": known }, self.at(): { "$not": is_of_others } };
        change(context, self.child, filter, pipeline, true).await
    }
}

/// What bears a record of others or is being deleted. `own` are the marks of the same transaction.
pub(super) fn is_taken(paths: &[RollupPath], own: &[ObjectId]) -> Document {
    let marks = paths.iter().map(|path| doc! { path.mark(): { "$exists": true, "$nin": own } });
    doc! { "$or": marks.chain([doc! { GONE: { "$exists": true } }]).collect::<Vec<_>>() }
}
