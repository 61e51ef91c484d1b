//! A transaction: what it writes, computed from its snapshot. May use `world`.

use std::collections::BTreeMap;

use crate::{
    deletes::Delete,
    world::{Id, Node, Path, World},
};

/// What a client does next.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Stage {
    Begin,
    /// Carries on the large move of a node.
    Carry(Carry),
    /// Takes `_moving` from it: only where that is not done together with the last look.
    End(Carry),
    /// Goes on with a delete.
    Delete(Delete),
    Done,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Carry {
    pub(crate) node: Id,
    /// It is not one's own: then one's own operation begins again.
    pub(crate) others: bool,
    /// What was read at the start, where that is not read again: the old prefix and the new one.
    pub(crate) read: Option<(Path, Path)>,
    /// The nodes that were found at the start, where that counts.
    pub(crate) found: Vec<Id>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Transaction {
    /// The documents as they will be: none where it deletes one.
    writes: BTreeMap<Id, Option<Node>>,
    /// After the commit.
    pub(crate) then: Stage,
}

impl Carry {
    pub(crate) fn ended(&self) -> Stage {
        if self.others { Stage::Begin } else { Stage::Done }
    }
}

impl Transaction {
    /// It has read only.
    pub(crate) fn none(then: Stage) -> Transaction {
        Transaction { writes: BTreeMap::new(), then }
    }

    pub(crate) fn write(mut self, id: Id, node: Option<Node>) -> Transaction {
        self.writes.insert(id, node);
        self
    }

    /// The same of a node that it may write already.
    pub(crate) fn edit(self, id: Id, world: &World, change: impl FnOnce(&Node) -> Node) -> Transaction {
        let node = self.writes.get(&id).map_or_else(|| world.node(id), Option::as_ref).map(change);
        match node {
            Some(node) => self.write(id, Some(node)),
            None => self,
        }
    }

    /// Writes nodes, if they are there, so that they have another version. What it writes already stays so.
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

/// With the new prefix in the place of as many ids as the old one has.
pub(crate) fn with_prefix_in_place(node: &Node, old: &[Id], new: &[Id]) -> Node {
    let rest = node.path.get(old.len()..).unwrap_or_default();
    Node { path: [new, rest].concat(), ..node.clone() }
}
