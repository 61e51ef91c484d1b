//! A transaction: the writes, computed from the snapshot. May use `world`.

use std::collections::BTreeMap;

use crate::{
    deletes::Delete,
    world::{Id, Node, Path, World},
};

/// The next work of a client.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Stage {
    Begin,
    /// Carries on the large move of a node.
    Carry(Carry),
    /// Removes `_moving` from the node: only when the removal is separate from the last look.
    End(Carry),
    /// Goes on with a delete.
    Delete(Delete),
    Done,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Carry {
    pub(crate) node: Id,
    /// True for the large move of another client: afterwards the client's own operation begins again.
    pub(crate) others: bool,
    /// The old prefix and the new prefix, read at the start; only when the prefixes are not read again.
    pub(crate) read: Option<(Path, Path)>,
    /// The nodes that were found at the start; only when the nodes of the start count.
    pub(crate) found: Vec<Id>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Transaction {
    /// The documents after the transaction: `None` for a delete.
    writes: BTreeMap<Id, Option<Node>>,
    /// The stage after the commit.
    pub(crate) then: Stage,
}

impl Carry {
    pub(crate) fn ended(&self) -> Stage {
        if self.others { Stage::Begin } else { Stage::Done }
    }
}

impl Transaction {
    /// Makes a transaction that only reads.
    pub(crate) fn none(then: Stage) -> Transaction {
        Transaction { writes: BTreeMap::new(), then }
    }

    pub(crate) fn write(mut self, id: Id, node: Option<Node>) -> Transaction {
        self.writes.insert(id, node);
        self
    }

    /// Changes a node that the transaction may write already.
    pub(crate) fn edit(self, id: Id, world: &World, change: impl FnOnce(&Node) -> Node) -> Transaction {
        let node = self.writes.get(&id).map_or_else(|| world.node(id), Option::as_ref).map(change);
        match node {
            Some(node) => self.write(id, Some(node)),
            None => self,
        }
    }

    /// Writes the stored nodes without a change, for a new version of each node. An earlier write of the transaction
    /// stays.
    pub(crate) fn touch(mut self, ids: &[Id], world: &World) -> Transaction {
        for id in ids {
            if let Some(node) = world.node(*id) {
                self.writes.entry(*id).or_insert_with(|| Some(node.clone()));
            }
        }
        self
    }

    pub(crate) fn is_read_only(&self) -> bool {
        self.writes.is_empty()
    }

    pub(crate) fn conflicts_with(&self, committed: &Transaction) -> bool {
        committed.writes.keys().any(|id| self.writes.contains_key(id))
    }

    pub(crate) fn apply(&self, world: &mut World) {
        for (id, node) in &self.writes {
            world.nodes[*id].clone_from(node);
        }
    }
}

/// Replaces the old prefix of a node's path by the new prefix.
pub(crate) fn with_prefix_in_place(node: &Node, old: &[Id], new: &[Id]) -> Node {
    let rest = node.path.get(old.len()..).unwrap_or_default();
    Node { path: [new, rest].concat(), ..node.clone() }
}
