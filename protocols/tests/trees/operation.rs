//! What a client does. May use `protocol`, `world`, `transaction`, `moves`.

use crate::{
    moves::Move,
    protocol::{Protocol, Stored},
    transaction::{Carry, Stage, Transaction},
    world::{Id, Node, Path, World},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Operation {
    Insert {
        node: Id,
        parent: Option<Id>,
    },
    Move(Move),
    /// Of a node without children.
    Delete {
        node: Id,
    },
    Recover,
}

impl Operation {
    /// The transaction of a stage, computed from its snapshot: one of these.
    pub(crate) fn transactions(self, stage: &Stage, world: &World, protocol: &Protocol) -> Vec<Transaction> {
        match stage {
            Stage::Begin => self.begin(world, protocol),
            Stage::Carry(carry) => carry.next(world, protocol),
            Stage::End(carry) => vec![carry.end(Transaction::none(carry.ended()), world)],
            Stage::Done => Vec::new(),
        }
    }

    fn begin(self, world: &World, protocol: &Protocol) -> Vec<Transaction> {
        let done = Transaction::none(Stage::Done);
        match self {
            Operation::Insert { node, parent } => match world.path_under(parent) {
                Some(path) if world.node(node).is_none() => {
                    let path = if protocol.stored == Stored::Path { path } else { Path::new() };
                    let inserted = done.write(node, Some(Node { parent, path, moving: None }));
                    let touched = if protocol.insert_touches_parent { parent.as_slice() } else { &[] };
                    vec![inserted.touch(touched, world)]
                }
                _ => vec![done],
            },
            Operation::Move(of) => vec![of.begin(world, protocol)],
            Operation::Delete { node } if world.node(node).is_none() || world.has_children(node) => vec![done],
            Operation::Delete { node } => vec![done.write(node, None)],
            Operation::Recover => {
                let carry = |id| Transaction::none(Stage::Carry(Carry::new(id, true, world, protocol)));
                let pending: Vec<_> = world.pending().map(|(id, ..)| carry(id)).collect();
                if pending.is_empty() { vec![done] } else { pending }
            }
        }
    }
}
