//! The parts of the protocol. Each part can be left out, to see which property breaks. May use `world`.

use crate::world::{Id, World};

/// The fields that a node stores about the node's place in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stored {
    /// The parent alone.
    Parent,
    /// The parent, and the ids of the ancestors.
    Path,
}

/// The effect of a delete on children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    Restrict,
    Cascade,
}

/// The active parts of the protocol. The names are the names of `docs/trees-protocol.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Protocol {
    pub(crate) stored: Stored,
    pub(crate) rule: Rule,
    /// An insert writes the parent too.
    pub(crate) insert_touches_parent: bool,
    /// A small move writes the new parent too.
    pub(crate) touch_target: bool,
    /// A large move, and every move in a tree without paths, writes all nodes above the new place too, including the
    /// new parent.
    pub(crate) touch_above_target: bool,
    /// A large move writes all nodes above the old place too.
    pub(crate) touch_above_source: bool,
    /// All nodes above are touched. Without: only the first node above, the root, if the root is stored.
    pub(crate) touch_all_above: bool,
    /// A move of a node first completes the large move of the node.
    pub(crate) heed_own: bool,
    /// A move of a node first completes the large moves of the node's ancestors.
    pub(crate) heed_above_source: bool,
    /// A move of a node first completes the large moves of the new parent and of the new parent's ancestors.
    pub(crate) heed_above_target: bool,
    /// A move of a node first completes the large moves of the node's descendants.
    pub(crate) heed_below: bool,
    /// A move of a node first completes the large moves of nodes that were the node's descendants at the begin of the
    /// large move.
    pub(crate) heed_left: bool,
    /// A chunk reads `_moving` in the chunk's own transaction. Without: uses the values read at the start.
    pub(crate) read_again: bool,
    /// A chunk rewrites nodes that have the old prefix. Without: the nodes that were found at the start.
    pub(crate) old_prefix: bool,
    /// Chunks go on until no node has the old prefix. Without: until the nodes found at the start are rewritten.
    pub(crate) until_none: bool,
    /// `_moving` is removed in the transaction that finds no node with the old prefix. Without: in the next
    /// transaction.
    pub(crate) end_together: bool,
    /// No node is put below a node with a delete under way.
    pub(crate) heed_mark: bool,
    /// A delete that children refuse looks for children after the mark is set. Without: only before the mark.
    pub(crate) look_after_mark: bool,
    /// A cascade marks the children in the transaction that deletes the parent. Without: after the transaction.
    pub(crate) mark_children: bool,
    /// A cascade that deletes a node also writes the rest of the node's large move, in the same transaction.
    pub(crate) rewrite_before_delete: bool,
}

impl Protocol {
    /// Returns whether no node may be put below this node.
    pub(crate) fn refuses(&self, parent: Option<Id>, world: &World) -> bool {
        self.heed_mark && parent.is_some_and(|parent| world.mark(parent).is_some())
    }

    /// Returns the touched nodes of a path.
    pub(crate) fn of_those_above<'a>(&self, path: &'a [Id]) -> &'a [Id] {
        if self.touch_all_above { path } else { &path[..path.len().min(1)] }
    }
}

/// The protocol that was chosen.
pub(crate) const CHOSEN: Protocol = Protocol {
    stored: Stored::Path,
    rule: Rule::Restrict,
    insert_touches_parent: true,
    touch_target: true,
    touch_above_target: true,
    touch_above_source: true,
    touch_all_above: true,
    heed_own: true,
    heed_above_source: true,
    heed_above_target: true,
    heed_below: true,
    heed_left: true,
    read_again: true,
    old_prefix: true,
    until_none: true,
    end_together: true,
    heed_mark: true,
    look_after_mark: true,
    mark_children: true,
    rewrite_before_delete: true,
};

/// The chosen protocol for a tree without paths, in which nothing is found by the old place.
pub(crate) const PARENT_ALONE: Protocol = Protocol { stored: Stored::Parent, touch_above_source: false, ..CHOSEN };

/// The chosen protocol with deletes of the whole subtree.
pub(crate) const CASCADE: Protocol = Protocol { rule: Rule::Cascade, ..CHOSEN };

/// The chosen protocol with deletes of the whole subtree, for a tree without paths.
pub(crate) const CASCADE_PARENT_ALONE: Protocol = Protocol { rule: Rule::Cascade, ..PARENT_ALONE };
