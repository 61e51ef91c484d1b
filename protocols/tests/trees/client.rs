//! A client, and what the server does for its transactions: each sees what was committed when it began, and is committed if no
//! document that it writes was written since. May use all of the above.

use crate::{
    operation::Operation,
    protocol::Protocol,
    transaction::{Stage, Transaction},
    world::World,
};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Client {
    operation: Operation,
    stage: Stage,
    /// It has read and written, and is not committed.
    pub(crate) open: Option<Transaction>,
}

/// More transactions than any client needs that is alone.
const ENOUGH: usize = 60;

impl Client {
    pub(crate) fn new(operation: Operation) -> Client {
        Client { operation, stage: Stage::Begin, open: None }
    }

    pub(crate) fn is_done(&self) -> bool {
        self.stage == Stage::Done
    }

    /// What it may have read and written in its next transaction.
    pub(crate) fn next(&self, world: &World, protocol: &Protocol) -> Vec<Transaction> {
        if self.open.is_some() {
            return Vec::new();
        }
        self.operation.transactions(&self.stage, world, protocol)
    }

    pub(crate) fn begin(&mut self, transaction: Transaction) {
        if transaction.is_read_only() {
            self.stage = transaction.then;
        } else {
            self.open = Some(transaction);
        }
    }

    /// What is committed is returned.
    pub(crate) fn commit(&mut self, world: &mut World) -> Option<Transaction> {
        let transaction = self.open.take()?;
        transaction.apply(world);
        self.stage = transaction.then.clone();
        Some(transaction)
    }

    /// Another has committed this. A transaction that writes one of the same documents is never committed: it begins again.
    pub(crate) fn hear(&mut self, committed: &Transaction) {
        self.open.take_if(|open| open.conflicts_with(committed));
    }

    /// Alone, from here to its end. Is there one? In a cycle there is none.
    pub(crate) fn run(mut self, world: &mut World, protocol: &Protocol) -> bool {
        for _ in 0..ENOUGH {
            self.commit(world);
            match self.next(world, protocol).into_iter().next() {
                Some(transaction) if world.has_no_cycle() => self.begin(transaction),
                _ => break,
            }
        }
        self.is_done()
    }
}
