//! The operations of a client. May use `protocol`, `world`, `transaction`, `moves`.

use crate::{
    deletes::Delete,
    moves::Move,
    protocol::{Protocol, Stored},
    transaction::{Carry, Stage, Transaction},
    world::{Id, Node, Path, World},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Operation {
    Insert { node: Id, parent: Option<Id> },
    Move(Move),
    Delete { node: Id },
    Recover,
}

impl Operation {
    /// Returns the possible transactions of a stage, computed from the snapshot.
    pub(crate) fn transactions(self, stage: &Stage, world: &World, protocol: &Protocol) -> Vec<Transaction> {
        match stage {
            Stage::Begin => self.begin(world, protocol),
            Stage::Carry(carry) => carry.next(world, protocol),
            Stage::End(carry) => vec![carry.end(Transaction::none(carry.ended()), world)],
            Stage::Delete(delete) => delete.next(world, protocol),
            Stage::Done => Vec::new(),
        }
    }

    fn begin(self, world: &World, protocol: &Protocol) -> Vec<Transaction> {
        let done = Transaction::none(Stage::Done);
        match self {
            Operation::Insert { node, parent } => match world.path_under(parent) {
                Some(path) if world.node(node).is_none() && !protocol.refuses(parent, world) => {
                    let path = if protocol.stored == Stored::Path { path } else { Path::new() };
                    let inserted = done.write(node, Some(Node::new(parent, path)));
                    let touched = if protocol.insert_touches_parent { parent.as_slice() } else { &[] };
                    vec![inserted.touch(touched, world)]
                }
                _ => vec![done],
            },
            Operation::Move(of) => vec![of.begin(world, protocol)],
            Operation::Delete { node } => vec![Delete::begin(node, world, protocol)],
            Operation::Recover => {
                let carry = |id| Transaction::none(Stage::Carry(Carry::new(id, true, world, protocol)));
                let pending = world.pending().map(|(id, ..)| carry(id));
                let deletes = world.marked().map(|id| Delete::recover(id, world, protocol));
                let left: Vec<_> = pending.chain(deletes).collect();
                if left.is_empty() { vec![done] } else { left }
            }
        }
    }
}
