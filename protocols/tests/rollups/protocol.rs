//! The parts of the protocol, each of which can be left out, to see what breaks. May use nothing.

/// What there is of the protocol. The names are those of `docs/copies-protocol.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Protocol {
    /// An add goes only to a parent of the epoch that was read.
    pub(crate) epoch: bool,
    /// The epoch of a parent that is closed is no epoch to add to.
    pub(crate) open_epoch_only: bool,
    /// A new child is marked, by the insert.
    pub(crate) mark_of_insert: bool,
    /// A changed child is marked, by the change.
    pub(crate) mark_of_change: bool,
    /// A moved child names the parent it left, by the move.
    pub(crate) left: bool,
    /// Only the entry of one's own move is taken out.
    pub(crate) own_left: bool,
    /// A child is marked before it is deleted.
    pub(crate) gone: bool,
    /// A child is deleted only when its mark is cleared or is the epoch of its open parent.
    pub(crate) delete_uncounted_only: bool,
    /// Only the mark that one set oneself is cleared.
    pub(crate) clear_own_mark: bool,
    /// Who could not add looks whether the child still has its mark.
    pub(crate) look: bool,
    /// That look comes after the read of the epoch.
    pub(crate) look_after_epoch: bool,
    /// A recompute takes the marks of the children that it counts.
    pub(crate) claim: bool,
    /// A recompute does not count a child with a mark that it has not taken.
    pub(crate) claimed_only: bool,
    /// A recompute writes only to a parent that it still keeps closed.
    pub(crate) write_own: bool,
    /// A recompute that was taken over from looks after the marks it took.
    pub(crate) again: bool,
    /// A parent is inserted closed, and is recomputed.
    pub(crate) closed_at_birth: bool,
    /// An inserter clears the mark at once. Without it, that is left to a later batch or to recover.
    pub(crate) clear_at_once: bool,
}

/// The protocol as it is chosen.
pub(crate) const CHOSEN: Protocol = Protocol {
    epoch: true,
    open_epoch_only: true,
    mark_of_insert: true,
    mark_of_change: true,
    left: true,
    own_left: true,
    gone: true,
    delete_uncounted_only: true,
    clear_own_mark: true,
    look: true,
    look_after_epoch: true,
    claim: true,
    claimed_only: true,
    write_own: true,
    again: true,
    closed_at_birth: true,
    clear_at_once: true,
};
