//! The parts of the protocol, each of which can be left out, to see what breaks. May use `world`.

use crate::world::{Id, World};

/// What a node stores of its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stored {
    /// Its parent alone.
    Parent,
    /// Its parent, and the ids of its ancestors.
    Path,
}

/// What a delete does to children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    Restrict,
    Cascade,
}

/// What there is of the protocol. The names are those of `docs/trees-protocol.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Protocol {
    pub(crate) stored: Stored,
    pub(crate) rule: Rule,
    /// An insert writes the parent too.
    pub(crate) insert_touches_parent: bool,
    /// A small move writes the new parent too.
    pub(crate) touch_target: bool,
    /// A large move, and every move in a tree without paths, writes all that is above the new place too, the new parent among it.
    pub(crate) touch_above_target: bool,
    /// A large move writes all that is above the old place too.
    pub(crate) touch_above_source: bool,
    /// Without: of those above only the first one, the root, if that is there.
    pub(crate) touch_all_above: bool,
    /// Who moves a node first completes its own large move.
    pub(crate) heed_own: bool,
    /// And those of its ancestors.
    pub(crate) heed_above_source: bool,
    /// And those of the new parent and of its ancestors.
    pub(crate) heed_above_target: bool,
    /// And those of its descendants.
    pub(crate) heed_below: bool,
    /// And those of nodes that were its descendants when they were moved.
    pub(crate) heed_left: bool,
    /// A chunk reads `_moving` in its own transaction. Without: goes on with what was read once.
    pub(crate) read_again: bool,
    /// A chunk rewrites nodes that have the old prefix. Without: those that were found at the start.
    pub(crate) old_prefix: bool,
    /// Chunks go on until no node has the old prefix. Without: until those are rewritten that were found at the start.
    pub(crate) until_none: bool,
    /// `_moving` goes in the transaction that finds no such node. Without: in the next one.
    pub(crate) end_together: bool,
    /// Nothing comes below a node that is being deleted.
    pub(crate) heed_mark: bool,
    /// A delete that children refuse looks for them when the mark is there. Without: before that only.
    pub(crate) look_after_mark: bool,
    /// A cascade marks the children in the transaction that deletes their parent. Without: after it.
    pub(crate) mark_children: bool,
    /// A cascade rewrites what the large move of a node has still to write in the transaction that deletes the node.
    pub(crate) rewrite_before_delete: bool,
}

impl Protocol {
    /// Whether nothing may come below this node.
    pub(crate) fn refuses(&self, parent: Option<Id>, world: &World) -> bool {
        self.heed_mark && parent.is_some_and(|parent| world.mark(parent).is_some())
    }

    /// Of a path, those that are touched.
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

/// The same for a tree without paths, in which nothing is found by the old place.
pub(crate) const PARENT_ALONE: Protocol = Protocol { stored: Stored::Parent, touch_above_source: false, ..CHOSEN };

/// Where a delete takes all that is below.
pub(crate) const CASCADE: Protocol = Protocol { rule: Rule::Cascade, ..CHOSEN };

/// The same for a tree without paths.
pub(crate) const CASCADE_PARENT_ALONE: Protocol = Protocol { rule: Rule::Cascade, ..PARENT_ALONE };
