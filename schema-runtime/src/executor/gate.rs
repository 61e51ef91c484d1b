//! Limits the number of plain writes that run beside the transactions of a client. A plain write of a document that a
//! transaction holds waits in the server, and keeps a connection. If waiting writes took every connection, the next
//! command of the transaction would get none.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{
    sync::{Notify, oneshot},
    time::timeout,
};

use super::settings::Settings;

/// The number of connections that stay free for transactions.
const FREE: usize = 2;

/// The longest wait of a write for a turn: the time during which a transaction is tried again.
pub(super) const TURN: Duration = Duration::from_secs(120);

/// The longest wait of a transaction for earlier plain writes. A write that takes longer does not wait for this
/// transaction.
const BEFORE: Duration = Duration::from_secs(1);

/// The gate of one client.
#[derive(Debug)]
pub(crate) struct Gate {
    /// The largest number of plain writes beside a transaction.
    most: usize,
    state: Mutex<State>,
    /// Notified when at most `most` writes run.
    drained: Notify,
    settings: Settings,
}

#[derive(Debug, Default)]
struct State {
    writes: usize,
    transactions: usize,
    queue: VecDeque<oneshot::Sender<Write>>,
}

/// A plain write under way.
#[derive(Debug)]
pub(crate) struct Write(Option<Arc<Gate>>);

/// A transaction under way.
#[derive(Debug)]
pub(crate) struct Open(Arc<Gate>);

impl Gate {
    /// Makes the gate of a client with the given number of connections.
    pub(crate) fn new(connections: usize) -> Arc<Self> {
        let most = connections.saturating_sub(FREE).max(connections / 2);
        Arc::new(Gate { most, state: Mutex::default(), drained: Notify::new(), settings: Settings::default() })
    }

    /// Returns the settings of the client.
    pub(super) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Lets a plain write begin; returns `None` without a turn in time.
    pub(super) async fn write(self: Arc<Self>, longest: Duration) -> Option<Write> {
        let turn = {
            let mut state = self.state();
            if self.has_capacity(&state) {
                state.writes += 1;
                drop(state);
                return Some(Write(Some(self)));
            }
            let (sender, turn) = oneshot::channel();
            state.queue.push_back(sender);
            turn
        };
        timeout(longest, turn).await.ok()?.ok()
    }

    /// Lets a transaction begin.
    pub(crate) async fn open(self: Arc<Self>) -> Open {
        self.state().transactions += 1;
        let open = Open(self);
        if !open.0.is_drained() {
            // Afterwards the transaction begins in any case.
            let _ = timeout(BEFORE, open.0.drain()).await;
        }
        open
    }

    async fn drain(&self) {
        loop {
            let drained = self.drained.notified();
            if self.is_drained() {
                return;
            }
            drained.await;
        }
    }

    fn is_drained(&self) -> bool {
        self.state().writes <= self.most
    }

    fn has_capacity(&self, state: &State) -> bool {
        state.transactions == 0 || state.writes < self.most
    }

    fn change(self: &Arc<Self>, change: impl FnOnce(&mut State)) {
        let mut state = self.state();
        change(&mut state);
        while self.has_capacity(&state) {
            let Some(next) = state.queue.pop_front() else { break };
            state.writes += 1;
            // The caller of the queued write is gone.
            if let Err(mut gone) = next.send(Write(Some(Arc::clone(self)))) {
                gone.0 = None;
                state.writes -= 1;
            }
        }
        if state.writes <= self.most {
            self.drained.notify_waiters();
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Write {
    fn drop(&mut self) {
        if let Some(gate) = self.0.take() {
            gate.change(|state| state.writes -= 1);
        }
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.change(|state| state.transactions -= 1);
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn write(gate: &Arc<Gate>) -> Option<Write> {
        Arc::clone(gate).write(TURN).now_or_never().flatten()
    }

    #[tokio::test]
    async fn beside_a_transaction_some_connections_stay_free() {
        let gate = Gate::new(10);
        let open = Arc::clone(&gate).open().await;
        let mut writes: Vec<Write> = std::iter::from_fn(|| write(&gate)).collect();
        assert_eq!(writes.len(), 8);
        let (next, gone) = (tokio::spawn(Arc::clone(&gate).write(TURN)), tokio::spawn(Arc::clone(&gate).write(TURN)));
        tokio::task::yield_now().await;
        gone.abort();
        writes.pop();
        writes.push(next.await.unwrap().unwrap());
        assert!(write(&gate).is_none());
        let last = tokio::spawn(Arc::clone(&gate).write(TURN));
        tokio::task::yield_now().await;
        drop(open);
        writes.push(last.await.unwrap().unwrap());
        writes.extend(std::iter::from_fn(|| write(&gate)).take(100));
        assert_eq!(writes.len(), 109);
        drop(writes);
        assert_eq!(gate.state().writes, 0);
    }

    #[tokio::test]
    async fn a_transaction_lets_earlier_writes_end() {
        let gate = Gate::new(2);
        let mut writes: Vec<Write> = std::iter::from_fn(|| write(&gate)).take(3).collect();
        let open = tokio::spawn(Arc::clone(&gate).open());
        tokio::task::yield_now().await;
        writes.pop();
        tokio::task::yield_now().await;
        assert!(!open.is_finished());
        writes.pop();
        let open = open.await.unwrap();
        assert!(write(&gate).is_none());
        drop(open);
    }

    #[tokio::test]
    async fn with_one_connection_writes_wait_for_the_end() {
        let gate = Gate::new(1);
        let open = Arc::clone(&gate).open().await;
        assert!(write(&gate).is_none());
        drop(open);
        assert!(write(&gate).is_some());
    }
}
