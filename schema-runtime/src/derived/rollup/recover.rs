//! What stopped clients have left behind. It may run at any time, beside all writers and beside itself. What the server refuses is
//! counted, and does not end it.

use std::{collections::HashSet, fmt};

use mongodb::bson::{Bson, Document, doc, oid::ObjectId};

use super::{
    abandoned::WATCHED,
    apply::{CHUNK, change_all},
    mark::forgotten_before,
    path::{GONE, RollupPath, paths_of_child, paths_of_parent},
};
use crate::{
    definition::ModelDefinition,
    error::Result,
    executor::Context,
    read::{self, Query},
    report::{but_for_refused, counted},
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
}

impl fmt::Display for RecoveredRollup {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RecoveredRollup { parent, child, .. } = self;
        let children = counted(self.children, "pending record", "pending records");
        let parents = counted(self.parents, "document", "documents");
        let refused = but_for_refused(self.refused);
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
        let (parents, refused) = path.recover_parents(context).await?;
        let of_path = |other: &&mut RecoveredRollup| {
            other.parent == path.parent.collection
                && other.child == path.child.collection
                && other.reference == path.reference
        };
        match recovered.iter_mut().find(of_path) {
            Some(other) => (other.parents, other.refused) = (parents, other.refused + refused),
            None => recovered.push(RecoveredRollup { parents, refused, ..path.recovered() }),
        }
    }
    recovered.retain(|recovered| recovered.children + recovered.parents + recovered.refused > 0);
    Ok(recovered)
}

/// What was done, if the server did not refuse it.
fn unless_refused<T>(done: Result<T>, refused: &mut u64) -> Result<Option<T>> {
    match done {
        Ok(done) => Ok(Some(done)),
        Err(error) if error.is_refusal() => {
            *refused += 1;
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

impl RollupPath {
    fn recovered(&self) -> RecoveredRollup {
        let (parent, child, reference) = (self.parent.collection, self.child.collection, self.reference);
        RecoveredRollup { parent, child, reference, children: 0, parents: 0, refused: 0 }
    }

    /// Takes over each record, and deletes what is gone.
    async fn recover_children(&self, context: &Context) -> Result<RecoveredRollup> {
        let mut recovered = self.recovered();
        // Also what is not on a majority yet, as of a client that was killed a moment ago.
        let newest = context.newest();
        for marks in self.all_marks(&newest).await?.chunks(WATCHED) {
            for mark in self.abandoned(&newest, marks).await? {
                let taken = self.take_over(context, mark).await;
                recovered.children += unless_refused(taken, &mut recovered.refused)?.unwrap_or(0);
            }
        }
        let gone = Query::new(self.child.collection, doc! { GONE: { "$exists": true } });
        if !self.is_only_path() && gone.first_id(&newest).await?.is_some() {
            self.delete_gone(context).await?;
        }
        unless_refused(self.release_dead(context).await, &mut recovered.refused)?;
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

    /// Counts the children of new parents, reads stale ones again, and forgets marks that no child bears: how many parents were read
    /// again, and how many refused it.
    async fn recover_parents(&self, context: &Context) -> Result<(u64, u64)> {
        let (mut parents, mut refused) = (0, 0);
        let stale = self.may_be_stale().then_some("stale");
        for kind in ["new"].into_iter().chain(stale).chain(["applied", "revoked"]) {
            let mut found = self.in_state(kind).batches(&context.newest()).await?;
            while let Some(batch) = found.next().await {
                for parent in read::parsed_in(&batch?)? {
                    let done = self.recover_parent(context, &parent, kind).await;
                    let is_read_again = unless_refused(done, &mut refused)?.unwrap_or(false);
                    parents += u64::from(is_read_again);
                }
            }
        }
        Ok((parents, refused))
    }

    /// Whether it was read again.
    async fn recover_parent(&self, context: &Context, parent: &Document, kind: &str) -> Result<bool> {
        match (kind, parent.get("_id")) {
            ("new", _) => self.adopt_new(context, parent).await?,
            ("stale", Some(id)) => drop(self.refresh(context, id).await?),
            _ => {
                self.forget_unborne(context, parent, kind).await?;
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The parents that have this, with what the protocol stores in them.
    fn in_state(&self, of: &str) -> Query {
        let mut query = Query::new(self.parent.collection, doc! { self.state(of): { "$exists": true } });
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
            self.forget(context, mark, std::slice::from_ref(id)).await?;
        }
        Ok(())
    }
}
