//! Refreshing a parent up to its children, by a recompute: of one's own, or of another that began after the marks were set and has
//! taken them. Reaches the server.

use std::time::Duration;

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, RawDocument, doc, oid::ObjectId};
use tokio::time::{Instant, sleep};

use super::{path::RollupPath, recompute::Recompute};
use crate::{
    error::{Result, server},
    executor::{Context, Sent},
    read::Query,
};

/// How long a recompute of another client may show no sign of life before it is taken over. Its client shows one every
/// [`BEAT`](super::recompute::BEAT); to take over too early costs work, and is right.
const PATIENCE: Duration = Duration::from_secs(1);

/// The longest pause between two looks at a closed parent.
const LONGEST_PAUSE: Duration = Duration::from_millis(50);

/// How a parent is, to one who wants to add to it or to recompute it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ParentState {
    /// With its epoch.
    Open(Option<ObjectId>),
    /// By whom, and the last sign of life.
    Closed(ObjectId, Option<ObjectId>),
    NoParent,
}

/// Which recomputes will do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Accepts {
    /// One that has taken this mark from all children of the parent.
    Any(ObjectId),
    /// One's own.
    Own,
    /// None: the parent need only be open.
    Open,
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Refreshed {
    /// The parent has it, as of this epoch.
    At(Option<ObjectId>),
    NoParent,
}

impl RollupPath {
    /// How the parent is.
    pub(super) async fn state(&self, context: &Context, parent: &Bson) -> Result<ParentState> {
        let mut query = Query::by_id(self.parent.collection, parent.clone());
        query.projection = self.state_fields();
        let found = query.first(context).await?;
        Ok(found.map_or(ParentState::NoParent, |found| self.state_in(&found)))
    }

    /// What a read of a parent asks for.
    pub(super) fn state_fields(&self) -> Document {
        doc! { self.epoch(): 1, self.closed(): 1, self.beat(): 1 }
    }

    /// How a parent is, as it was read.
    pub(super) fn state_in(&self, parent: &RawDocument) -> ParentState {
        let id = |field: &str| parent.get_document(field).ok().and_then(|of| of.get_object_id(&*self.name).ok());
        match id("_recompute") {
            Some(by) => ParentState::Closed(by, id("_beat")),
            None => ParentState::Open(id("_rollup")),
        }
    }

    /// Waits until the parent is open; takes it over when whoever keeps it closed shows no sign of life.
    pub(super) fn wait<'a>(&'a self, context: &'a Context, parent: &'a Bson) -> BoxFuture<'a, Result<Waited>> {
        Box::pin(async move {
            let (mut pause, mut since, mut seen) = (Duration::from_millis(2), Instant::now(), None);
            loop {
                let (by, beat) = match self.state(context, parent).await? {
                    ParentState::Open(epoch) => return Ok(Waited::Open(epoch)),
                    ParentState::NoParent => return Ok(Waited::NoParent),
                    ParentState::Closed(by, beat) => (by, beat),
                };
                if seen.replace((by, beat)) != Some((by, beat)) {
                    since = Instant::now();
                }
                if since.elapsed() > PATIENCE {
                    let closed = doc! { self.closed(): by };
                    if let Some(recompute) = self.close(context, parent, closed).await? {
                        return Ok(Waited::TakenOver(recompute));
                    }
                }
                sleep(pause).await;
                pause = (pause * 2).min(LONGEST_PAUSE);
            }
        })
    }

    /// Closes the parent if it is so; `None` when it is not.
    fn close<'a>(
        &'a self,
        context: &'a Context,
        parent: &'a Bson,
        so: Document,
    ) -> BoxFuture<'a, Result<Option<Recompute>>> {
        Box::pin(async move {
            let id = ObjectId::new();
            let mut filter = Self::parent(parent);
            filter.extend(so);
            let update = doc! { "$set": { self.epoch(): id, self.closed(): id } };
            let sent = Sent { filter, update, ..Sent::default() };
            let closed = context.update_one(self.parent.collection, sent).await;
            let closed = closed.map_err(|error| server::write(self.parent, error))?.matched_count > 0;
            Ok(closed.then(|| Recompute { parent: parent.clone(), id }))
        })
    }

    /// Refreshes a parent up to its children.
    pub(super) async fn refresh(&self, context: &Context, parent: &Bson, accepts: Accepts) -> Result<Refreshed> {
        let first = match accepts {
            Accepts::Open => None,
            _ => self.close(context, parent, doc! { self.closed(): { "$exists": false } }).await?,
        };
        self.refresh_closed(context, parent, accepts, first).await
    }

    /// The same, of a parent that one may have closed already.
    pub(super) fn refresh_closed<'a>(
        &'a self,
        context: &'a Context,
        parent: &'a Bson,
        accepts: Accepts,
        mut recompute: Option<Recompute>,
    ) -> BoxFuture<'a, Result<Refreshed>> {
        Box::pin(async move {
            let mut marks: Vec<ObjectId> = match accepts {
                Accepts::Any(mark) => vec![mark],
                Accepts::Own | Accepts::Open => Vec::new(),
            };
            loop {
                if let Some(mine) = recompute.take() {
                    if self.recompute(context, &mine).await? {
                        return Ok(Refreshed::At(Some(mine.id)));
                    }
                    // Taken over from. It may have taken marks after the other had.
                    marks.push(mine.id);
                }
                recompute = match self.wait(context, parent).await? {
                    Waited::NoParent => return Ok(Refreshed::NoParent),
                    Waited::TakenOver(mine) => Some(mine),
                    Waited::Open(epoch) => {
                        let enough = match accepts {
                            Accepts::Own => false,
                            Accepts::Any(_) | Accepts::Open => !self.has_marks(context, parent, &marks).await?,
                        };
                        if enough {
                            return Ok(Refreshed::At(epoch));
                        }
                        self.close(context, parent, doc! { self.closed(): { "$exists": false } }).await?
                    }
                };
            }
        })
    }

    /// Whether a child of the parent has one of these marks.
    async fn has_marks(&self, context: &Context, parent: &Bson, marks: &[ObjectId]) -> Result<bool> {
        if marks.is_empty() {
            return Ok(false);
        }
        let mut filter = self.of_parent(parent);
        filter.insert(self.mark(), doc! { "$in": marks });
        Ok(Query::new(self.child.collection, filter).first_id(context).await?.is_some())
    }
}

/// What came of a wait.
pub(super) enum Waited {
    /// With its epoch.
    Open(Option<ObjectId>),
    TakenOver(Recompute),
    NoParent,
}
