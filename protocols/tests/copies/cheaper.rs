//! Alternatives for the insert of a holder, explored because the holder's mark costs a second write. None was chosen;
//! the tests show the properties that each alternative keeps. May use `propagation`, `world`, `protocol`.

use crate::{
    propagation::{Look, LookAction},
    protocol::Protocol,
    world::{Seen, World},
};

/// The insert in one transaction with a write of the source that changes nothing: a writer of the source waits for the
/// transaction.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TransactionInserter {
    Begin { holder: usize, source: usize },
    Commit { holder: usize, source: usize, seen: Seen },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TransactionInserterAction {
    Begin,
    Commit,
}

impl TransactionInserter {
    pub(crate) fn actions(&self, world: &World) -> Vec<TransactionInserterAction> {
        match self {
            TransactionInserter::Begin { source, .. } if world.source_is_free(*source) => {
                vec![TransactionInserterAction::Begin]
            }
            TransactionInserter::Begin { .. } => vec![],
            TransactionInserter::Commit { .. } => vec![TransactionInserterAction::Commit],
        }
    }

    pub(crate) fn next(self, world: &mut World, protocol: &Protocol) -> Option<TransactionInserter> {
        match self {
            TransactionInserter::Begin { holder, source } => {
                let seen = world.read(source, protocol)?;
                world.sources[source].as_mut()?.locked = true;
                Some(TransactionInserter::Commit { holder, source, seen })
            }
            TransactionInserter::Commit { holder, source, seen } => {
                world.sources[source].as_mut()?.locked = false;
                world.insert_holder(holder, source, seen, None);
                None
            }
        }
    }

    pub(crate) fn crash(&self, world: &mut World) {
        if let TransactionInserter::Commit { source, .. } = self
            && let Some(source) = &mut world.sources[*source]
        {
            source.locked = false;
        }
    }
}

/// The source keeps a register of the inserts under way: the command that reads the source also makes the entry, and
/// the entry is taken out after the look. The holder has no mark.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum RegisterInserter {
    Enter { holder: usize, source: usize },
    Insert { holder: usize, source: usize, seen: Seen },
    Look { source: usize, look: Look },
    Leave { source: usize },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum RegisterInserterAction {
    Enter,
    Insert,
    Look(LookAction),
    Leave,
}

impl RegisterInserter {
    pub(crate) fn actions(&self, world: &World) -> Vec<RegisterInserterAction> {
        match self {
            RegisterInserter::Enter { source, .. } if world.source_is_free(*source) => {
                vec![RegisterInserterAction::Enter]
            }
            RegisterInserter::Leave { source } if world.source_is_free(*source) => vec![RegisterInserterAction::Leave],
            RegisterInserter::Enter { .. } | RegisterInserter::Leave { .. } => vec![],
            RegisterInserter::Insert { .. } => vec![RegisterInserterAction::Insert],
            RegisterInserter::Look { look, .. } => {
                look.actions(world).into_iter().map(RegisterInserterAction::Look).collect()
            }
        }
    }

    pub(crate) fn next(self, me: usize, world: &mut World, protocol: &Protocol) -> Option<RegisterInserter> {
        match self {
            RegisterInserter::Enter { holder, source } => {
                let seen = world.read(source, protocol)?;
                world.sources[source].as_mut()?.register |= 1 << me;
                Some(RegisterInserter::Insert { holder, source, seen })
            }
            RegisterInserter::Insert { holder, source, seen } => {
                world.insert_holder(holder, source, seen, None);
                Some(RegisterInserter::Look { source, look: Look::of(holder, source, None, seen.version) })
            }
            RegisterInserter::Look { source, look } => Some(match look.next(world, false, protocol) {
                Some(look) => RegisterInserter::Look { source, look },
                None => RegisterInserter::Leave { source },
            }),
            RegisterInserter::Leave { source } => {
                world.sources[source].as_mut()?.register &= !(1 << me);
                None
            }
        }
    }
}

/// The insert is refused when the values from the read are older than the lease, by the server's clock. No look, no
/// mark.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LeaseInserter {
    Read {
        holder: usize,
        source: usize,
        fence: Fence,
    },
    /// The server takes the time of the command (`$$NOW`) ..
    Check {
        holder: usize,
        source: usize,
        fence: Fence,
        seen: Seen,
        read_at: u8,
    },
    /// .. and writes later.
    Insert {
        holder: usize,
        source: usize,
        seen: Seen,
    },
}

/// The moment of the time check: at the insert, or at the start of the command, as on a real server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Fence {
    AtTheInsert,
    AtTheStartOfTheCommand,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LeaseInserterAction {
    Read,
    Check,
    Insert,
}

impl LeaseInserter {
    pub(crate) fn actions(&self) -> Vec<LeaseInserterAction> {
        vec![match self {
            LeaseInserter::Read { .. } => LeaseInserterAction::Read,
            LeaseInserter::Check { .. } => LeaseInserterAction::Check,
            LeaseInserter::Insert { .. } => LeaseInserterAction::Insert,
        }]
    }

    pub(crate) fn next(self, world: &mut World, protocol: &Protocol) -> Option<LeaseInserter> {
        match self {
            LeaseInserter::Read { holder, source, fence } => {
                let seen = world.read(source, protocol)?;
                Some(LeaseInserter::Check { holder, source, fence, seen, read_at: world.now })
            }
            LeaseInserter::Check { read_at, .. } if world.now > read_at + protocol.lease? => None,
            LeaseInserter::Check { holder, source, fence: Fence::AtTheInsert, seen, .. } => {
                world.insert_holder(holder, source, seen, None);
                None
            }
            LeaseInserter::Check { holder, source, seen, .. } => Some(LeaseInserter::Insert { holder, source, seen }),
            LeaseInserter::Insert { holder, source, seen } => {
                world.insert_holder(holder, source, seen, None);
                None
            }
        }
    }
}
