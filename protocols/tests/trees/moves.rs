//! Moves: in one transaction, or with chunks after the first transaction. May use `protocol`, `world`, `transaction`.

use crate::{
    protocol::{Protocol, Stored},
    transaction::{Carry, Stage, Transaction, with_prefix_in_place},
    world::{Id, Node, Path, World},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Size {
    Small,
    Large,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Move {
    pub(crate) node: Id,
    /// The new parent; `None` makes the node a root.
    pub(crate) to: Option<Id>,
    pub(crate) size: Size,
}

impl Move {
    /// Returns the first transaction of the move.
    pub(crate) fn begin(self, world: &World, protocol: &Protocol) -> Transaction {
        let refused = Transaction::none(Stage::Done);
        let (Some(node), Some(path)) = (world.node(self.node), world.path_under(self.to)) else { return refused };
        if protocol.stored == Stored::Parent {
            return self.parent_alone(node, world, protocol);
        }
        if let Some(pending) = self.heeds(node, &path, world, protocol) {
            return Transaction::none(Stage::Carry(Carry::new(pending, true, world, protocol)));
        }
        if path.contains(&self.node) || node.parent == self.to || protocol.refuses(self.to, world) {
            return refused;
        }
        let old = [&node.path[..], &[self.node]].concat();
        let mut moved = Node { parent: self.to, path: path.clone(), ..node.clone() };
        let mut transaction = Transaction::none(Stage::Done);
        match self.size {
            Size::Small => {
                if protocol.touch_target {
                    transaction = transaction.touch(self.to.as_slice(), world);
                }
                let new = [&path[..], &[self.node]].concat();
                for id in world.with_prefix(&old) {
                    transaction = transaction.edit(id, world, |node| with_prefix_in_place(node, &old, &new));
                }
            }
            Size::Large => {
                moved.moving = Some(old);
                let mut after = world.clone();
                after.nodes[self.node] = Some(moved.clone());
                transaction.then = Stage::Carry(Carry::new(self.node, false, &after, protocol));
                if protocol.touch_above_source {
                    transaction = transaction.touch(protocol.of_those_above(&node.path), world);
                }
                if protocol.touch_above_target {
                    transaction = transaction.touch(protocol.of_those_above(&path), world);
                }
            }
        }
        transaction.write(self.node, Some(moved))
    }

    /// Returns the transaction of a move in a tree without paths.
    fn parent_alone(self, node: &Node, world: &World, protocol: &Protocol) -> Transaction {
        let mut to = world.walk_up(self.to);
        let mut transaction = Transaction::none(Stage::Done);
        if to.contains(&self.node) || node.parent == self.to || protocol.refuses(self.to, world) {
            return transaction;
        }
        to.reverse();
        if protocol.touch_above_target {
            transaction = transaction.touch(protocol.of_those_above(&to), world);
        }
        transaction.write(self.node, Some(Node { parent: self.to, ..node.clone() }))
    }

    /// Returns a node with a large move that has to be completed first. `path`: the future path.
    fn heeds(self, node: &Node, path: &[Id], world: &World, protocol: &Protocol) -> Option<Id> {
        let is_heeded = |(id, pending, old): &(Id, &Node, &Path)| {
            protocol.heed_own && *id == self.node
                || protocol.heed_above_source && node.path.contains(id)
                || protocol.heed_above_target && path.contains(id)
                || protocol.heed_below && pending.path.contains(&self.node)
                || protocol.heed_left && *id != self.node && old.contains(&self.node)
        };
        world.pending().find(is_heeded).map(|(id, ..)| id)
    }
}

impl Carry {
    pub(crate) fn new(node: Id, others: bool, world: &World, protocol: &Protocol) -> Carry {
        let mut carry = Carry { node, others, read: None, found: Vec::new() };
        let read = carry.read_moving(world);
        if let Some((old, _)) = read.as_ref().filter(|_| !protocol.old_prefix || !protocol.until_none) {
            carry.found = world.with_prefix(old);
        }
        carry.read = read.filter(|_| !protocol.read_again);
        carry
    }

    /// Returns the old prefix and the new prefix.
    fn read_moving(&self, world: &World) -> Option<(Path, Path)> {
        let old = world.node(self.node)?.moving.clone()?;
        Some((old, world.path_under(Some(self.node))?))
    }

    /// Returns the possible next transactions: a chunk of one node with the old prefix, or of all nodes with the old
    /// prefix; a chunk of all nodes together with the end; the end.
    pub(crate) fn next(&self, world: &World, protocol: &Protocol) -> Vec<Transaction> {
        let read = if protocol.read_again { self.read_moving(world) } else { self.read.clone() };
        let Some((old, new)) = read else { return vec![Transaction::none(self.ended())] };
        let mut nodes = world.with_prefix(&old);
        let mut left = self.clone();
        if !protocol.until_none {
            nodes.retain(|id| self.found.contains(id));
        }
        if !protocol.old_prefix && !self.found.is_empty() {
            nodes = vec![left.found.remove(0)];
        }
        if nodes.is_empty() {
            let end = self.end(Transaction::none(self.ended()), world);
            return vec![if protocol.end_together { end } else { Transaction::none(Stage::End(self.clone())) }];
        }
        let chunk = |ids: &[Id]| {
            let none = Transaction::none(Stage::Carry(left.clone()));
            ids.iter().fold(none, |chunk, id| chunk.edit(*id, world, |node| with_prefix_in_place(node, &old, &new)))
        };
        let mut next: Vec<_> = nodes.chunks(1).map(chunk).collect();
        if nodes.len() > 1 {
            next.push(chunk(&nodes));
        }
        if protocol.old_prefix && protocol.until_none && protocol.end_together {
            let mut last = chunk(&nodes);
            last.then = self.ended();
            next.push(self.end(last, world));
        }
        next
    }

    /// Removes `_moving`.
    pub(crate) fn end(&self, transaction: Transaction, world: &World) -> Transaction {
        match world.node(self.node) {
            Some(node) if node.moving.is_some() => {
                transaction.write(self.node, Some(Node { moving: None, ..node.clone() }))
            }
            _ => transaction,
        }
    }
}
