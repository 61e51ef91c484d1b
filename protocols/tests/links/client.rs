//! A client, and the server's work on the client's transaction. A transaction sees the state committed at the begin,
//! and the transaction's own writes; a write of a document that another client has written since the begin, or writes
//! now, ends the transaction. May use `world`, `operation`.

use crate::{
    operation::{Operation, Stage, Then},
    world::{Documents, World},
};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Client {
    /// No transaction is open. `tries` is the number of times that the client may still begin.
    Idle {
        operation: Operation,
        tries: u8,
    },
    Open {
        operation: Operation,
        tries: u8,
        after: Then,
        transaction: Transaction,
    },
    /// Runs each step as a separate command, without a transaction.
    Plain {
        operation: Operation,
        stage: Stage,
    },
    Done,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Transaction {
    sees: World,
    written: Documents,
    /// The documents that further clients have committed since the begin of the transaction.
    changed: Documents,
}

/// The first try, and two more if the server ends the transaction.
const TRIES: u8 = 3;

impl Client {
    pub(crate) fn new(operation: Operation) -> Client {
        Client::Idle { operation, tries: TRIES }
    }

    pub(crate) fn plain(operation: Operation) -> Client {
        Client::Plain { operation, stage: Stage::Begin }
    }

    pub(crate) fn is_open(&self) -> bool {
        matches!(self, Client::Open { .. })
    }

    /// Returns the documents that the open transaction writes, which nobody else sees yet.
    pub(crate) fn written(&self) -> Documents {
        match self {
            Client::Open { transaction, .. } => transaction.written,
            _ => 0,
        }
    }

    /// Notes documents that another client has committed.
    pub(crate) fn hear(&mut self, committed: Documents) {
        if let Client::Open { transaction, .. } = self {
            transaction.changed |= committed;
        }
    }

    /// Does the next step. `others`: the documents that concurrent transactions write. Returns the client and the
    /// committed documents.
    pub(crate) fn step(self, world: &mut World, others: Documents, bound: u32) -> (Client, Documents) {
        let next = match self {
            Client::Done => Client::Done,
            Client::Plain { operation, stage } => match operation.step(stage, world, bound) {
                Then::Step(stage) => Client::Plain { operation, stage },
                Then::Done | Then::Failed => Client::Done,
            },
            Client::Idle { operation, tries } => {
                let transaction = Transaction { sees: *world, written: 0, changed: 0 };
                transaction.step(operation, Stage::Begin, tries - 1, others, bound)
            }
            Client::Open { operation, tries, after: Then::Step(stage), transaction } => {
                transaction.step(operation, stage, tries, others, bound)
            }
            Client::Open { after: Then::Done, transaction, .. } => {
                world.take(transaction.written, &transaction.sees);
                return (Client::Done, transaction.written);
            }
            Client::Open { after: Then::Failed, .. } => Client::Done,
        };
        (next, 0)
    }
}

impl Transaction {
    fn step(mut self, operation: Operation, stage: Stage, tries: u8, others: Documents, bound: u32) -> Client {
        let before = self.sees;
        let after = operation.step(stage, &mut self.sees, bound);
        let written = self.sees.differs(&before);
        if written & (self.changed | others) != 0 {
            return if tries > 0 { Client::Idle { operation, tries } } else { Client::Done };
        }
        self.written |= written;
        Client::Open { operation, tries, after, transaction: self }
    }
}
