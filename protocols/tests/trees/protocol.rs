//! The parts of the protocol, each of which can be left out, to see what breaks. May use nothing.

/// What a node stores of its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stored {
    /// Its parent alone.
    Parent,
    /// Its parent, and the ids of its ancestors.
    Path,
}

/// What there is of the protocol. The names are those of `docs/trees-protocol.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Protocol {
    pub(crate) stored: Stored,
    /// An insert writes the parent too.
    pub(crate) insert_touches_parent: bool,
    /// A move writes the new parent too.
    pub(crate) touch_target: bool,
    /// A large move, and every move in a tree without paths, writes the root above the new parent too.
    pub(crate) touch_root_of_target: bool,
    /// And the root above the old place.
    pub(crate) touch_root_of_source: bool,
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
}

/// The protocol that was chosen.
pub(crate) const CHOSEN: Protocol = Protocol {
    stored: Stored::Path,
    insert_touches_parent: true,
    touch_target: true,
    touch_root_of_target: true,
    touch_root_of_source: true,
    heed_own: true,
    heed_above_source: true,
    heed_above_target: true,
    heed_below: true,
    heed_left: true,
    read_again: true,
    old_prefix: true,
    until_none: true,
    end_together: true,
};

/// The same for a tree without paths.
pub(crate) const PARENT_ALONE: Protocol = Protocol { stored: Stored::Parent, ..CHOSEN };
