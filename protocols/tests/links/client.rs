//! A client, and what the server does for its transaction: it sees what was committed when it began, and what it has written
//! itself; a write of a document that another has written since, or writes, ends it. May use `world`, `operation`.

use crate::{
    operation::{Operation, Stage, Then},
    world::{Documents, World},
};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Client {
    /// Nothing is open. So many times it may begin.
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
    /// In commands of their own, without a transaction.
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
    /// What others have committed since it began.
    changed: Documents,
}

/// Once more, if the server ends it: twice.
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

    /// What it writes, and nobody sees yet.
    pub(crate) fn written(&self) -> Documents {
        match self {
            Client::Open { transaction, .. } => transaction.written,
            _ => 0,
        }
    }

    /// Another has committed these.
    pub(crate) fn hear(&mut self, committed: Documents) {
        if let Client::Open { transaction, .. } = self {
            transaction.changed |= committed;
        }
    }

    /// `others`: what other transactions write. What it commits is returned.
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
