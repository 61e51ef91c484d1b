//! Lanes: inserts of one collection that run at the same time in a process share transactions. The caller who comes first begins a task that
//! leads; the task takes all that wait by then, sends them as one transaction, gives each caller the outcome of the caller's own insert, and
//! ends when nobody waits. There is no timer: an insert that is alone is sent at once, as without a lane.

use std::{
    collections::{HashMap, VecDeque},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use futures_util::future::BoxFuture;
use mongodb::{
    bson::{RawDocument, RawDocumentBuf},
    error::Error as DriverError,
};
use tokio::sync::oneshot;

use super::atomic::fitting;
use crate::{
    definition::ModelDefinition,
    error::{Error, Result},
    executor::{Context, OfClient, PerClient, go_on},
    limits::{LANE_BYTES, LANE_INSERTS},
};

/// The lanes of one client, by the names of the database and of the collection.
#[derive(Default)]
struct Lanes(Mutex<HashMap<(String, &'static str), VecDeque<Member>>>);

static LANES: PerClient<Lanes> = PerClient::new();

/// Runs with a document just before the insert, at each attempt. An error is the error of the insert.
pub(super) type BeforeInsert = dyn Fn(&RawDocument) -> Result<()> + Send + Sync;

/// An insert that waits, or is under way.
struct Member {
    document: RawDocumentBuf,
    before: Option<Arc<BeforeInsert>>,
    /// Whether the insert is sent.
    is_taken: Arc<AtomicBool>,
    answer: oneshot::Sender<Result<()>>,
}

/// The same of each of several documents, with its position.
pub(super) type BeforeEach<'a> = dyn Fn(usize, &RawDocument) -> Result<()> + Send + Sync + 'a;

type InsertAlone = for<'a> fn(
    &'a Context,
    &'static ModelDefinition,
    RawDocumentBuf,
    Option<&'a BeforeInsert>,
) -> BoxFuture<'a, Result<()>>;

type InsertTogether = for<'a> fn(
    &'a Context,
    &'static ModelDefinition,
    Vec<RawDocumentBuf>,
    &'a BeforeEach<'a>,
) -> BoxFuture<'a, Result<()>>;

/// How a lane sends what waits.
#[derive(Clone, Copy)]
pub(super) struct Inserts {
    /// One document by itself.
    pub(super) alone: InsertAlone,
    /// Several documents in one transaction.
    pub(super) together: InsertTogether,
}

/// Where a task leads.
struct Lane {
    of_client: Arc<OfClient<Lanes>>,
    context: Context,
    definition: &'static ModelDefinition,
    inserts: Inserts,
}

/// Inserts a document, together with others that wait for the same collection.
pub(super) async fn insert(
    context: &Context,
    definition: &'static ModelDefinition,
    document: RawDocumentBuf,
    before: Option<Arc<BeforeInsert>>,
    inserts: Inserts,
) -> Result<()> {
    let is_taken = Arc::new(AtomicBool::new(false));
    loop {
        let (answer, answered) = oneshot::channel();
        let lane =
            Lane { of_client: LANES.of(context.database()).await?, context: context.clone(), definition, inserts };
        let (document, before) = (document.clone(), before.clone());
        if lane.enter(Member { document, before, is_taken: is_taken.clone(), answer }) {
            go_on(context.database(), Box::pin(lane.lead()));
        }
        match answered.await {
            Ok(answer) => return answer,
            // The runtime of the task that led has ended. An insert that was sent may be done.
            Err(_) if is_taken.load(Ordering::Acquire) => return Err(ended()),
            Err(_) => {}
        }
    }
}

fn ended() -> Error {
    Error::Driver(DriverError::custom("the runtime that sent the insert has ended"))
}

impl Lane {
    fn key(&self) -> (String, &'static str) {
        (self.context.database().name().to_owned(), self.definition.collection)
    }

    /// Joins those that wait: whether nobody leads.
    fn enter(&self, member: Member) -> bool {
        let mut lanes = self.of_client.shared.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut leads = false;
        let waiting = lanes.entry(self.key()).or_insert_with(|| {
            leads = true;
            VecDeque::new()
        });
        waiting.push_back(member);
        leads
    }

    /// The members that share the next transaction, the first of those that wait; none when nobody waits, and the lane ends.
    fn next(&self) -> Vec<Member> {
        let mut lanes = self.of_client.shared.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(waiting) = lanes.get_mut(&self.key()) else { return Vec::new() };
        let sizes = waiting.iter().map(|member| member.document.as_bytes().len());
        let count = fitting(sizes, LANE_INSERTS, LANE_BYTES).min(waiting.len());
        let members = waiting.drain(..count).collect::<Vec<_>>();
        members.iter().for_each(|member| member.is_taken.store(true, Ordering::Release));
        if members.is_empty() {
            lanes.remove(&self.key());
        }
        members
    }

    async fn lead(self) {
        let mut ends = Ends { lane: &self, is_over: false };
        loop {
            let members = self.next();
            if members.is_empty() {
                ends.is_over = true;
                return;
            }
            self.send(members).await;
        }
    }

    /// Sends members in one transaction. If one of them is refused, the halves are sent by themselves, and at last each member alone.
    fn send(&self, mut members: Vec<Member>) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            if let [_] = &members[..] {
                for Member { document, before, answer, .. } in members {
                    let inserted = (self.inserts.alone)(&self.context, self.definition, document, before.as_deref());
                    let _ = answer.send(inserted.await);
                }
                return;
            }
            let documents: Vec<_> = members.iter().map(|member| member.document.clone()).collect();
            let before = |at: usize, document: &RawDocument| match &members[at].before {
                Some(before) => before(document),
                None => Ok(()),
            };
            let inserted = (self.inserts.together)(&self.context, self.definition, documents, &before).await;
            match inserted.map_err(Error::into_source) {
                Err(error) if error.writes_nothing() => {
                    let others = members.split_off(members.len() / 2);
                    self.send(members).await;
                    self.send(others).await;
                }
                outcome => {
                    for Member { answer, .. } in members {
                        let _ = answer.send(outcome.clone());
                    }
                }
            }
        })
    }
}

/// A task that is dropped, as with its runtime, leaves those that wait to another task.
struct Ends<'a> {
    lane: &'a Lane,
    is_over: bool,
}

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        if !self.is_over {
            let mut lanes = self.lane.of_client.shared.0.lock().unwrap_or_else(PoisonError::into_inner);
            lanes.remove(&self.lane.key());
        }
    }
}
