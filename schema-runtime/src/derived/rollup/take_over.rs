//! Taking over the records with a mark of somebody else, or with one's own that another has revoked. Reaches the server.

use std::collections::HashSet;

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, doc, oid::ObjectId};

use super::{
    apply::{Borne, CHUNK, Children, change_all},
    mark::Mark,
    path::{GONE, RollupPath},
    refused::Refused,
};
use crate::{
    error::{Error, Result},
    executor::{Attempts, Context},
    key::Key,
    read::Query,
};

/// How many children are taken over together.
const PAGE: u64 = 2_000;

impl RollupPath {
    /// Takes over all records with this mark. What the server refuses stays, and the others are done.
    pub(super) fn take_over<'a>(&'a self, context: &'a Context, mark: ObjectId) -> BoxFuture<'a, Result<TakenOver>> {
        Box::pin(async move {
            let (mut taken, mut left) = (0, 0);
            let (mut refused, mut attempts) = (Refused::default(), Attempts::default());
            loop {
                // Those that are refused have the mark still, and come first.
                let mut page = Query::new(self.child.collection, doc! { self.mark(): mark });
                (page.skip, page.limit) = (left, PAGE);
                let ids = page.all_ids(&context.newest()).await?;
                if ids.is_empty() {
                    return Ok(TakenOver { children: taken, refused: refused.error });
                }
                let before = refused.count;
                let replaced = self.take_over_page(context, mark, &ids, &mut refused).await?;
                taken += replaced;
                if refused.count > before {
                    let bearing = doc! { "_id": { "$in": ids }, self.mark(): mark };
                    left += context.count(self.child.collection, bearing, 0, 0).await?;
                } else if replaced == 0 {
                    attempts.again().await?;
                }
            }
        })
    }

    /// Takes over those of these children that bear the mark: how many.
    async fn take_over_page(
        &self,
        context: &Context,
        mark: ObjectId,
        ids: &[Bson],
        refused: &mut Refused,
    ) -> Result<u64> {
        let mut parents = self.parents_of(context, mark, ids).await?;
        let refusing = self.revoke(context, mark, &parents, refused).await?;
        parents.retain(|parent| !refusing.contains(&Key::of(parent)));
        let mut applied = Vec::new();
        for ids in parents.chunks(CHUNK) {
            for parent in self.parents(&context.newest(), ids, &[]).await? {
                if self.marks(&parent, "applied").contains(&mark) {
                    applied.extend(parent.get("_id").cloned());
                }
            }
        }
        let mine = Mark::new();
        let replaced = self.replace(context, mark, mine, ids, &parents, &applied).await;
        let replaced = match refused.unless(context, replaced)? {
            Some(replaced) => replaced,
            None => context.count(self.child.collection, doc! { self.mark(): mine }, 0, 0).await?,
        };
        let deltas = self.deltas(context, mine.id).await?;
        let children = Children { count: replaced, ids: None };
        let completed = self.complete(context, mine, deltas, Borne::ByAny, children).await;
        refused.unless(context, completed)?;
        Ok(replaced)
    }

    /// The parents that the records with this mark are about, of these children.
    async fn parents_of(&self, context: &Context, mark: ObjectId, ids: &[Bson]) -> Result<Vec<Bson>> {
        let pipeline = vec![
            doc! { "$match": { "_id": { "$in": ids }, self.mark(): mark } },
            doc! { "$project": { "p": { "$map": { "input": self.concerned(), "in": "$$this.parent" } } } },
            doc! { "$unwind": "$p" },
            doc! { "$group": { "_id": "$p" } },
        ];
        let found = self.all(&context.newest(), pipeline).await?;
        Ok(found.into_iter().filter_map(|mut found| found.remove("_id")).filter(|id| *id != Bson::Null).collect())
    }

    /// The owner of the mark does not apply it to these parents, unless it has. Which of them the server refused to write.
    async fn revoke(
        &self,
        context: &Context,
        mark: ObjectId,
        parents: &[Bson],
        refused: &mut Refused,
    ) -> Result<HashSet<Key>> {
        let mut refusing = HashSet::new();
        let update = || doc! { "$addToSet": { self.state("revoked"): mark } };
        for ids in parents.chunks(CHUNK) {
            let filter = doc! { "_id": { "$in": ids }, self.state("applied"): { "$ne": mark } };
            if refused.unless(context, self.update_parents(context, filter, update()).await)?.is_some() {
                continue;
            }
            for id in ids {
                let filter = doc! { "_id": { "$eq": id }, self.state("applied"): { "$ne": mark } };
                if refused.unless(context, self.update_parents(context, filter, update()).await)?.is_none() {
                    refusing.insert(Key::of(id));
                }
            }
        }
        Ok(refusing)
    }

    /// A mark of one's own in the place of another, with what each parent counts now: how many records.
    async fn replace(
        &self,
        context: &Context,
        mark: ObjectId,
        mine: Mark,
        ids: &[Bson],
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
        let filter = doc! {
            "_id": { "$in": ids }, self.mark(): mark, self.reference: { "$in": known }, self.at(): { "$not": is_of_others },
        };
        change_all(context, self.child, filter, pipeline).await
    }
}

/// What became of the records with a mark.
#[must_use = "some may be refused"]
pub(super) struct TakenOver {
    /// How many children there were.
    pub(super) children: u64,
    /// Why the server refused the first that it refused.
    pub(super) refused: Option<Error>,
}

impl TakenOver {
    /// An error where something was refused.
    pub(super) fn whole(self) -> Result<()> {
        self.refused.map_or(Ok(()), Err)
    }
}

/// What bears a record of others or is being deleted. `own` are the marks of the same transaction.
pub(super) fn is_taken(paths: &[RollupPath], own: &[ObjectId]) -> Document {
    let marks = paths.iter().map(|path| doc! { path.mark(): { "$exists": true, "$nin": own } });
    doc! { "$or": marks.chain([doc! { GONE: { "$exists": true } }]).collect::<Vec<_>>() }
}
