//! The actors, a step at a time: each step is one command. May use `propagation`, `world`, `protocol`.

use crate::{
    propagation::{Look, LookAction, Propagation, PropagationAction},
    protocol::Protocol,
    world::{Field, NO_VERSION, Seen, World},
};

/// Changes a field of a source.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Writer {
    Write { source: usize, field: Field },
    Propagate(Propagation),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum WriterAction {
    Write,
    Propagate(PropagationAction),
}

impl Writer {
    pub(crate) fn actions(&self, world: &World, protocol: &Protocol) -> Vec<WriterAction> {
        match self {
            Writer::Write { source, .. } if world.source_is_free(*source) => vec![WriterAction::Write],
            Writer::Write { .. } => vec![],
            Writer::Propagate(rest) => rest.actions(world, protocol).into_iter().map(WriterAction::Propagate).collect(),
        }
    }

    pub(crate) fn next(self, action: WriterAction, world: &mut World, protocol: &Protocol) -> Option<Writer> {
        match (self, action) {
            (Writer::Write { source, field }, WriterAction::Write) => {
                let seen = world.write(source, field, protocol)?;
                Some(Writer::Propagate(Propagation::of(source, seen, Some(field), protocol)))
            }
            (Writer::Propagate(rest), WriterAction::Propagate(action)) => {
                rest.next(action, world, protocol).map(Writer::Propagate)
            }
            _ => unreachable!("an action of another state"),
        }
    }
}

/// Inserts a new holder, with copies.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Inserter {
    Read { holder: usize, source: usize },
    Insert { holder: usize, source: usize, seen: Seen },
    Look(Look),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum InserterAction {
    Read,
    Insert,
    Look(LookAction),
}

impl Inserter {
    pub(crate) fn actions(&self, world: &World) -> Vec<InserterAction> {
        match self {
            Inserter::Read { source, .. } if world.source_can_be_read(*source) => vec![InserterAction::Read],
            Inserter::Read { .. } => vec![],
            Inserter::Insert { .. } => vec![InserterAction::Insert],
            Inserter::Look(look) => look.actions(world).into_iter().map(InserterAction::Look).collect(),
        }
    }

    pub(crate) fn next(self, me: usize, world: &mut World, protocol: &Protocol) -> Option<Inserter> {
        match self {
            // Without a source nothing is inserted: the caller gets an error.
            Inserter::Read { holder, source } => {
                world.read(source, protocol).map(|seen| Inserter::Insert { holder, source, seen })
            }
            Inserter::Insert { holder, source, seen } => {
                let mark = protocol.mark_in_holder.then_some(me);
                world.insert_holder(holder, source, seen, mark);
                protocol.look.then(|| Inserter::Look(Look::by_mark(holder, source, mark, seen.version)))
            }
            Inserter::Look(look) => look.next(world, protocol.clear_holder_at_once, protocol).map(Inserter::Look),
        }
    }
}

/// Gives a holder another source.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Reassigner {
    Read { holder: usize, source: usize },
    Reassign { holder: usize, source: usize, seen: Seen },
    Look(Look),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ReassignerAction {
    Read,
    Reassign,
    Look(LookAction),
}

impl Reassigner {
    pub(crate) fn actions(&self, world: &World) -> Vec<ReassignerAction> {
        match self {
            Reassigner::Read { source, .. } if world.source_can_be_read(*source) => vec![ReassignerAction::Read],
            Reassigner::Read { .. } => vec![],
            Reassigner::Reassign { holder, .. } if world.holder_is_free(*holder) => vec![ReassignerAction::Reassign],
            Reassigner::Reassign { .. } => vec![],
            Reassigner::Look(look) => look.actions(world).into_iter().map(ReassignerAction::Look).collect(),
        }
    }

    pub(crate) fn next(self, me: usize, world: &mut World, protocol: &Protocol) -> Option<Reassigner> {
        match self {
            Reassigner::Read { holder, source } => {
                world.read(source, protocol).map(|seen| Reassigner::Reassign { holder, source, seen })
            }
            Reassigner::Reassign { holder, source, seen } => {
                let mark = protocol.mark_in_holder.then_some(me);
                if !world.reassign(holder, source, seen, mark, protocol) {
                    let newer = world.holders[holder].is_some_and(|of| of.source == source);
                    return newer.then_some(Reassigner::Read { holder, source });
                }
                protocol.look.then(|| Reassigner::Look(Look::by_mark(holder, source, mark, seen.version)))
            }
            Reassigner::Look(look) => look.next(world, protocol.clear_holder_at_once, protocol).map(Reassigner::Look),
        }
    }
}

/// Deletes a source and inserts the source again under the same `_id`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Deleter {
    /// Makes the version for the insert; only without `version_after_insert`. A server makes the version when the
    /// insert comes in. With an insert from another client, the version may be made before the delete is done.
    Stamp {
        source: usize,
    },
    Delete {
        source: usize,
        version: u8,
    },
    Insert {
        source: usize,
        version: u8,
    },
    Touch {
        source: usize,
    },
    Propagate(Propagation),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum DeleterAction {
    Stamp,
    Delete,
    Insert,
    Touch,
    Propagate(PropagationAction),
}

impl Deleter {
    pub(crate) fn actions(&self, world: &World, protocol: &Protocol) -> Vec<DeleterAction> {
        match self {
            Deleter::Stamp { .. } => vec![DeleterAction::Stamp],
            Deleter::Delete { source, .. } if world.source_is_free(*source) => vec![DeleterAction::Delete],
            Deleter::Insert { .. } => vec![DeleterAction::Insert],
            Deleter::Touch { source } if world.source_is_free(*source) => vec![DeleterAction::Touch],
            Deleter::Delete { .. } | Deleter::Touch { .. } => vec![],
            Deleter::Propagate(rest) => {
                rest.actions(world, protocol).into_iter().map(DeleterAction::Propagate).collect()
            }
        }
    }

    pub(crate) fn next(self, action: DeleterAction, world: &mut World, protocol: &Protocol) -> Option<Deleter> {
        match (self, action) {
            (Deleter::Stamp { source }, _) => {
                Some(Deleter::Delete { source, version: world.next_version(NO_VERSION, protocol) })
            }
            (Deleter::Delete { source, version }, _) => {
                world.delete(source);
                Some(Deleter::Insert { source, version })
            }
            (Deleter::Insert { source, version }, _) => {
                world.insert_source(source, version, protocol);
                protocol.insert_marks.then_some(Deleter::Touch { source })
            }
            (Deleter::Touch { source }, _) => {
                let seen = world.touch(source, protocol)?;
                Some(Deleter::Propagate(Propagation::of(source, seen, None, protocol)))
            }
            (Deleter::Propagate(rest), DeleterAction::Propagate(action)) => {
                rest.next(action, world, protocol).map(Deleter::Propagate)
            }
            _ => unreachable!("an action of another state"),
        }
    }
}

/// Changes a source and the source's copies in one transaction.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TransactionWriter {
    /// Takes the snapshot and writes the source and the holders inside the transaction: concurrent writers of the same
    /// documents wait.
    Begin {
        source: usize,
    },
    Commit {
        source: usize,
        holders: u8,
    },
    Propagate(Propagation),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TransactionWriterAction {
    Begin,
    Commit,
    Propagate(PropagationAction),
}

impl TransactionWriter {
    pub(crate) fn actions(&self, world: &World, protocol: &Protocol) -> Vec<TransactionWriterAction> {
        match self {
            TransactionWriter::Begin { source } => {
                let of_source = |holder: &usize| world.holders[*holder].is_some_and(|of| of.source == *source);
                let free = world.source_is_free(*source)
                    && (0..2).filter(of_source).all(|holder| world.holder_is_free(holder));
                free.then_some(TransactionWriterAction::Begin).into_iter().collect()
            }
            TransactionWriter::Commit { .. } => vec![TransactionWriterAction::Commit],
            TransactionWriter::Propagate(rest) => {
                rest.actions(world, protocol).into_iter().map(TransactionWriterAction::Propagate).collect()
            }
        }
    }

    pub(crate) fn next(
        self,
        action: TransactionWriterAction,
        world: &mut World,
        protocol: &Protocol,
    ) -> Option<TransactionWriter> {
        match (self, action) {
            (TransactionWriter::Begin { source }, _) => {
                world.sources[source].as_mut()?.locked = true;
                let mut holders = 0;
                for (number, holder) in world.holders.iter_mut().enumerate() {
                    if let Some(holder) = holder.as_mut().filter(|holder| holder.source == source) {
                        holder.locked = true;
                        holders |= 1 << number;
                    }
                }
                Some(TransactionWriter::Commit { source, holders })
            }
            (TransactionWriter::Commit { source, holders }, _) => {
                TransactionWriter::unlock(source, holders, world);
                let seen = world.write(source, Field::Name, protocol)?;
                for holder in (0..2).filter(|holder| holders & 1 << holder != 0) {
                    world.sweep_one(holder, source, seen, None, protocol);
                }
                if !protocol.sweep_after_commit {
                    // All is in the transaction: no mark is left.
                    world.clear(source, seen, protocol);
                    return None;
                }
                Some(TransactionWriter::Propagate(Propagation::of(source, seen, None, protocol)))
            }
            (TransactionWriter::Propagate(rest), TransactionWriterAction::Propagate(action)) => {
                rest.next(action, world, protocol).map(TransactionWriter::Propagate)
            }
            _ => unreachable!("an action of another state"),
        }
    }

    /// The server aborts the transaction of a client that is gone.
    pub(crate) fn crash(&self, world: &mut World) {
        if let TransactionWriter::Commit { source, holders } = self {
            TransactionWriter::unlock(*source, *holders, world);
        }
    }

    fn unlock(source: usize, holders: u8, world: &mut World) {
        if let Some(source) = &mut world.sources[source] {
            source.locked = false;
        }
        for (number, holder) in world.holders.iter_mut().enumerate() {
            if let Some(holder) = holder.as_mut().filter(|_| holders & 1 << number != 0) {
                holder.locked = false;
            }
        }
    }
}
