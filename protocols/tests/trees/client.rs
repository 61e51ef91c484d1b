//! A client, and the server's work on the client's transactions: each transaction sees the state committed at the
//! begin, and commits if no written document was written by another client since the begin. May use all of the above.

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
    /// The open transaction: reads and writes are done, the commit is not.
    pub(crate) open: Option<Transaction>,
}

/// A number of transactions larger than the need of any client that runs alone.
const ENOUGH: usize = 60;

impl Client {
    pub(crate) fn new(operation: Operation) -> Client {
        Client { operation, stage: Stage::Begin, open: None }
    }

    pub(crate) fn is_done(&self) -> bool {
        self.stage == Stage::Done
    }

    /// Returns the possible next transactions of the client, with reads and writes.
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

    /// Commits the open transaction. Returns the committed transaction.
    pub(crate) fn commit(&mut self, world: &mut World) -> Option<Transaction> {
        let transaction = self.open.take()?;
        transaction.apply(world);
        self.stage = transaction.then.clone();
        Some(transaction)
    }

    /// Notes the commit of another client. A transaction that writes one of the same documents never commits: the
    /// transaction begins again.
    pub(crate) fn hear(&mut self, committed: &Transaction) {
        self.open.take_if(|open| open.conflicts_with(committed));
    }

    /// Runs the client alone, to the end. Returns whether the client gets done: in a cycle the run has no end.
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
