//! Lanes: writes of one kind and of one collection that run at the same time in a process share transactions. The first
//! caller begins a task that leads. The task takes all waiting writes, sends the writes as one transaction, gives each
//! caller the outcome of the caller's own write, and ends when no caller waits. There is no timer: a lone write is sent
//! at once, as without a lane. A transaction that meets conflicts again and again leaves the lane: the members go on by
//! themselves, and the lane takes the next members.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use futures_util::future::BoxFuture;
use mongodb::error::Error as DriverError;
use tokio::{sync::oneshot, time::timeout_at};

use super::atomic::fitting;
use crate::{
    definition::ModelDefinition,
    error::{Error, Limit, Result},
    executor::{Context, OfClient, Outcome, PerClient, go_on, is_preview, run_to_end},
    key::Key,
    limits::{LANE_BYTES, LANE_WRITES, TRANSACTION_DOCUMENTS},
};

/// A write that may share a transaction with more writes of the same kind and collection.
pub(super) trait LaneWrite: Clone + Send + Sync + 'static {
    /// Returns the approximate number of bytes that the write sends.
    fn size(&self) -> usize;

    /// Returns the most documents that the write writes.
    fn documents(&self) -> usize {
        1
    }

    /// Returns the document of the write. Two writes of the same document share no transaction. `None` where two writes
    /// never have the same document.
    fn document(&self) -> Option<Key>;

    /// Returns the lanes of writes of this kind.
    fn lanes() -> &'static PerClient<Lanes<Self>>;

    /// Runs the write by itself.
    fn run_alone(self, context: Context, definition: &'static ModelDefinition) -> BoxFuture<'static, Result<Outcome>>;

    /// Runs writes in a transaction, and returns the outcome of each write.
    ///
    /// # Errors
    /// [`Error::NotFound`] where the outcomes of the members are not known. Nothing is written then, as after each
    /// error of a refused write.
    fn run_together(
        writes: Vec<Self>,
        context: Context,
        definition: &'static ModelDefinition,
    ) -> BoxFuture<'static, Result<Vec<Outcome>>>;
}

/// The lanes of one client for writes of one kind, with the waiting members.
pub(super) struct Lanes<W>(Mutex<HashMap<LaneKey, VecDeque<Member<W>>>>);

/// The names of the database and of the collection of a lane.
type LaneKey = (String, &'static str);

impl<W> Default for Lanes<W> {
    fn default() -> Self {
        Lanes(Mutex::default())
    }
}

/// A write that waits, or is under way.
struct Member<W> {
    write: W,
    document: Option<Key>,
    /// True when the write is sent, and when the caller's time is over before that.
    is_taken: Arc<AtomicBool>,
    answer: oneshot::Sender<Result<Outcome>>,
}

/// The lane that a task leads.
struct Lane<W: LaneWrite> {
    of_client: Arc<OfClient<Lanes<W>>>,
    context: Context,
    definition: &'static ModelDefinition,
}

/// Runs a write, together with other waiting writes of the same collection.
pub(super) async fn run<W: LaneWrite>(
    context: &Context,
    definition: &'static ModelDefinition,
    write: W,
) -> Result<Outcome> {
    // The members of a transaction have one comment and one write concern. A preview shares no transaction.
    if context.has_options() || is_preview() {
        return run_to_end(context.database(), write.run_alone(context.clone(), definition)).await;
    }
    let (deadline, context) = (context.deadline().await?, &context.in_background());
    let is_taken = Arc::new(AtomicBool::new(false));
    loop {
        let (answer, mut answered) = oneshot::channel();
        let lane = Lane { of_client: W::lanes().of(context.database()).await?, context: context.clone(), definition };
        let (write, document) = (write.clone(), write.document());
        if lane.enter(Member { write, document, is_taken: is_taken.clone(), answer }) {
            go_on(context.database(), Box::pin(lane.lead()));
        }
        let answered = match deadline {
            None => answered.await,
            Some(deadline) => match timeout_at(deadline.into(), &mut answered).await {
                Ok(answered) => answered,
                // The write is never sent.
                Err(_) if !is_taken.swap(true, Ordering::AcqRel) => {
                    return Err(Error::TimedOut { limit: Limit::Operation });
                }
                Err(_) => answered.await,
            },
        };
        match answered {
            Ok(answer) => return answer,
            // The runtime of the leading task has ended. A write that was sent may be done.
            Err(_) if is_taken.load(Ordering::Acquire) => return Err(ended()),
            Err(_) => {}
        }
    }
}

fn is_not_found(error: &Error) -> bool {
    matches!(error, Error::NotFound { .. })
}

fn ended() -> Error {
    Error::Driver(DriverError::custom("the runtime that sent the write has ended"))
}

impl<W: LaneWrite> Lane<W> {
    fn key(&self) -> LaneKey {
        (self.context.database().name().to_owned(), self.definition.collection)
    }

    /// Adds the member to the waiting members. Returns true when no task leads the lane.
    fn enter(&self, member: Member<W>) -> bool {
        let mut lanes = self.of_client.shared.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut leads = false;
        let waiting = lanes.entry(self.key()).or_insert_with(|| {
            leads = true;
            VecDeque::new()
        });
        waiting.push_back(member);
        leads
    }

    /// Takes the members of the next transaction from the front of the waiting members. Returns `None` when nobody
    /// waits; then the lane ends.
    fn next(&self) -> Option<Vec<Member<W>>> {
        let mut lanes = self.of_client.shared.0.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = lanes.get_mut(&self.key())?;
        let mut documents = HashSet::new();
        let different = waiting.iter().take_while(|member| match &member.document {
            Some(document) => documents.insert(document),
            None => true,
        });
        let mut written = 0_usize;
        let sizes = different
            .take_while(|member| {
                written = written.saturating_add(member.write.documents());
                written <= TRANSACTION_DOCUMENTS
            })
            .map(|member| member.write.size());
        let count = fitting(sizes, LANE_WRITES, LANE_BYTES).min(waiting.len());
        let drained = waiting.drain(..count).collect::<Vec<_>>();
        if drained.is_empty() {
            lanes.remove(&self.key());
            return None;
        }
        // A caller whose time is over has taken the write back.
        Some(drained.into_iter().filter(|member| !member.is_taken.swap(true, Ordering::AcqRel)).collect())
    }

    async fn lead(self) {
        let mut ends = Ends { lane: &self, is_over: false };
        loop {
            let Some(members) = self.next() else {
                ends.is_over = true;
                return;
            };
            if !members.is_empty() {
                self.send(members).await;
            }
            // Callers with an answer may send the next write, and take part in the next transaction.
            tokio::task::yield_now().await;
        }
    }

    /// Sends members in a transaction. If a member is refused, each half is sent by itself, and at last each member
    /// alone.
    fn send(&self, mut members: Vec<Member<W>>) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            match self.run(&members).await {
                Ok(outcomes) => {
                    members.into_iter().zip(outcomes).for_each(|(member, outcome)| member.reply(Ok(outcome)));
                }
                Err(Error::WriteConflict) => self.let_go(members),
                Err(error) if members.len() > 1 && (error.writes_nothing() || is_not_found(&error)) => {
                    let others = members.split_off(members.len() / 2);
                    self.send(members).await;
                    self.send(others).await;
                }
                Err(error) => members.into_iter().for_each(|member| member.reply(Err(error.clone()))),
            }
        })
    }

    /// Runs the members in a transaction with few attempts.
    async fn run(&self, members: &[Member<W>]) -> Result<Vec<Outcome>> {
        let context = self.context.clone().of_few_attempts();
        if let [Member { write, .. }] = members {
            return Ok(vec![write.clone().run_alone(context, self.definition).await?]);
        }
        let writes = members.iter().map(|member| member.write.clone()).collect();
        W::run_together(writes, context, self.definition).await.map_err(Error::into_source)
    }

    /// Lets members that meet conflicts go on beside the lane.
    fn let_go(&self, members: Vec<Member<W>>) {
        for Member { write, answer, .. } in members {
            let written = write.run_alone(self.context.clone(), self.definition);
            go_on(self.context.database(), Box::pin(async move { drop(answer.send(written.await)) }));
        }
    }
}

impl<W> Member<W> {
    /// Answers a caller, who may be gone.
    fn reply(self, outcome: Result<Outcome>) {
        let _ = self.answer.send(outcome);
    }
}

/// The guard of a leading task. A task that is dropped, as with its runtime, leaves the waiting members to another
/// task.
struct Ends<'a, W: LaneWrite> {
    lane: &'a Lane<W>,
    is_over: bool,
}

impl<W: LaneWrite> Drop for Ends<'_, W> {
    fn drop(&mut self) {
        if !self.is_over {
            let mut lanes = self.lane.of_client.shared.0.lock().unwrap_or_else(PoisonError::into_inner);
            lanes.remove(&self.lane.key());
        }
    }
}
