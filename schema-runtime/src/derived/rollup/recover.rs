//! What stopped clients have left behind. It may run at any time, beside all writers and beside itself. What the server refuses is
//! counted, and does not end it.

use std::{collections::HashSet, fmt};

use mongodb::bson::{Bson, Document, doc, oid::ObjectId};

use super::{
    abandoned::WATCHED,
    apply::{CHUNK, change_all},
    mark::{Mark, forgotten_before},
    path::{GONE, RollupPath, paths_of_child, paths_of_parent},
    refused::Refused,
};
use crate::{
    definition::ModelDefinition,
    error::Result,
    executor::Context,
    read::{self, Query},
    report::{but_for_refused, counted, named},
};

/// What was left behind of what the parents of one model keep of the children of one relation.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RecoveredRollup {
    /// The collection of the parents.
    pub parent: &'static str,
    /// The collection of the children.
    pub child: &'static str,
    /// The stored path of the reference to the parent.
    pub reference: &'static str,
    /// How many children had a write that was not applied to their parents, or not known to be.
    pub children: u64,
    /// How many parents were read again: those that were new, or had lost the least, the greatest or one of the first.
    pub parents: u64,
    /// How many of the writes and of the parents the server refused to write for, as one whose validator does not take the parent. They
    /// stay as they are.
    pub refused: u64,
    /// The `_id`s of some of those parents.
    pub examples: Vec<Bson>,
}

impl fmt::Display for RecoveredRollup {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RecoveredRollup { parent, child, .. } = self;
        let children = counted(self.children, "pending record", "pending records");
        let parents = counted(self.parents, "document", "documents");
        let refused = but_for_refused(self.refused, &self.examples);
        write!(formatter, "{parent}: {children} of `{child}` applied, {parents} read again{refused}")
    }
}

pub(crate) async fn recover(models: &[&'static ModelDefinition], context: &Context) -> Result<Vec<RecoveredRollup>> {
    let context = &context.majority();
    let mut recovered = Vec::new();
    for path in models.iter().flat_map(|model| paths_of_child(model)) {
        recovered.push(path.recover_children(context).await?);
    }
    for path in models.iter().flat_map(|model| paths_of_parent(model)) {
        let mut of_parents = path.recovered();
        path.recover_parents(context, &mut of_parents).await?;
        let of_path = |other: &&mut RecoveredRollup| {
            other.parent == path.parent.collection
                && other.child == path.child.collection
                && other.reference == path.reference
        };
        match recovered.iter_mut().find(of_path) {
            Some(other) => {
                (other.parents, other.examples) = (of_parents.parents, of_parents.examples);
                other.refused += of_parents.refused;
            }
            None => recovered.push(of_parents),
        }
    }
    recovered.retain(|recovered| recovered.children + recovered.parents + recovered.refused > 0);
    Ok(recovered)
}

impl RollupPath {
    fn recovered(&self) -> RecoveredRollup {
        let (parent, child, reference) = (self.parent.collection, self.child.collection, self.reference);
        RecoveredRollup { parent, child, reference, children: 0, parents: 0, refused: 0, examples: Vec::new() }
    }

    /// Takes over each record, and deletes what is gone.
    async fn recover_children(&self, context: &Context) -> Result<RecoveredRollup> {
        let (mut recovered, mut refused) = (self.recovered(), Refused::default());
        // Also what is not on a majority yet, as of a client that was killed a moment ago.
        let newest = context.newest();
        for marks in self.all_marks(&newest).await?.chunks(WATCHED) {
            for mark in self.abandoned(&newest, marks).await? {
                let taken = self.take_over(context, mark).await?;
                recovered.children += taken.children;
                refused.count += u64::from(taken.refused.is_some());
            }
        }
        let gone = Query::new(self.child.collection, doc! { GONE: { "$exists": true } });
        if !self.is_only_path() && gone.first_id(&newest).await?.is_some() {
            self.delete_gone(context).await?;
        }
        refused.unless(context, self.release_dead(context).await)?;
        recovered.refused = refused.count;
        Ok(recovered)
    }

    /// Updates of many whose client has stopped long ago tell nothing any more.
    async fn release_dead(&self, context: &Context) -> Result<()> {
        let before = forgotten_before();
        let dead = doc! { "$lt": before };
        let left = Query::new(self.child.collection, doc! { self.by(): &dead });
        if left.first_id(&context.newest()).await?.is_none() {
            return Ok(());
        }
        let released = self.released(doc! { "$gte": ["$$this", before] });
        change_all(context, self.child, doc! { self.by(): dead }, released).await.map(drop)
    }

    /// Counts the children of new parents, reads stale ones again, and forgets marks that no child bears.
    async fn recover_parents(&self, context: &Context, recovered: &mut RecoveredRollup) -> Result<()> {
        let mut refused = Refused::default();
        let (stale, mine) = (self.may_be_stale().then_some("stale"), Mark::new());
        for kind in ["new"].into_iter().chain(stale).chain(["applied", "revoked"]) {
            let mut found = self.in_state(kind, mine).batches(&context.newest()).await?;
            while let Some(batch) = found.next().await {
                for parent in read::parsed_in(&batch?)? {
                    let done = self.recover_parent(context, &parent, kind, mine).await;
                    match refused.unless(context, done)? {
                        Some(is_read_again) => recovered.parents += u64::from(is_read_again),
                        None => named(&mut recovered.examples, parent.get("_id").cloned()),
                    }
                }
            }
        }
        recovered.refused += refused.count;
        Ok(())
    }

    /// Whether it was read again.
    async fn recover_parent(&self, context: &Context, parent: &Document, kind: &str, mine: Mark) -> Result<bool> {
        match (kind, parent.get("_id")) {
            ("new", _) => self.adopt_new(context, parent, mine).await?,
            ("stale", Some(id)) => drop(self.refresh(context, id).await?),
            _ => {
                self.forget_unborne(context, parent, kind).await?;
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The parents that have this, and not from this run, with what the protocol stores in them.
    fn in_state(&self, of: &str, mine: Mark) -> Query {
        let mut query = Query::new(self.parent.collection, doc! { self.state(of): { "$exists": true, "$ne": mine } });
        query.projection = doc! { self.states(): 1 };
        query.batch_size = CHUNK as u32;
        query
    }

    /// Forgets the marks of a parent that no child bears, for the majority: of those that it will not apply, the old ones.
    async fn forget_unborne(&self, context: &Context, parent: &Document, kind: &str) -> Result<()> {
        let Some(id) = parent.get("_id") else { return Ok(()) };
        let before = forgotten_before();
        let mut marks: HashSet<ObjectId> = self.marks(parent, kind).into_iter().collect();
        marks.retain(|mark| kind == "applied" || mark.bytes() < before.bytes());
        let all: Vec<Bson> = marks.iter().map(|mark| Bson::ObjectId(*mark)).collect();
        if all.is_empty() {
            return Ok(());
        }
        let bearing = Query::new(self.child.collection, doc! { self.mark(): { "$in": all } });
        for borne in self.marks_borne(context, bearing).await? {
            marks.remove(&borne);
        }
        for mark in marks {
            if kind == "applied" {
                self.recompute_young(context, mark, std::slice::from_ref(id)).await?;
            }
            self.forget(context, mark, std::slice::from_ref(id), &["applied", "revoked"]).await?;
        }
        Ok(())
    }
}
