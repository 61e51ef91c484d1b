//! The parts of the protocol, each of which can be left out, to see what breaks. May use nothing.

/// What there is of the protocol. The names are those of `docs/rollups-protocol.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Protocol {
    /// Who meets another's record takes it over. Without: puts its own in its place.
    pub(crate) take_over: bool,
    /// Who takes over revokes the mark at the parents.
    pub(crate) revoke: bool,
    /// A mark that is revoked is not applied.
    pub(crate) heed_revoked: bool,
    /// A replace is only of children whose reference is one of the parents that were read.
    pub(crate) pin_reference: bool,
    /// And only of those whose record names none but these.
    pub(crate) pin_at: bool,
    /// A revoked mark stays, for its owner. Without: who took over forgets it.
    pub(crate) revoked_stays: bool,
    /// Whose mark is revoked takes over what is left, and only then forgets it.
    pub(crate) take_over_then_forget: bool,
    /// Who took over forgets nothing. Without: the mark, where it is applied, once no child bears it.
    pub(crate) taker_forgets_nothing: bool,
    /// A clear is of one's own mark.
    pub(crate) clear_own: bool,
    /// A clear is on a majority. Without: it may be lost.
    pub(crate) clear_majority: bool,
    /// The `_gone` of a delete is on a majority. Without: it may be lost.
    pub(crate) gone_majority: bool,
    /// All writes of a mark come before its first apply.
    pub(crate) writes_first: bool,
    /// An update of many leaves itself in the children that it has changed.
    pub(crate) by: bool,
    /// And only it takes itself out. Without: whoever clears.
    pub(crate) by_outlives: bool,
    /// A removal while a parent is being read again makes that read worthless.
    pub(crate) dirty: bool,
    /// An addition meanwhile is kept beside.
    pub(crate) plus: bool,
    /// So is what a mark's children say as they did before.
    pub(crate) plus_unchanged: bool,
    /// The children that bear a mark that is applied are read first.
    pub(crate) read_applied_first: bool,
    /// The children without a record are read before those with one.
    pub(crate) read_plain_first: bool,
    /// A correction is only of the parent that has the `corrected` that was read.
    pub(crate) corrected: bool,
    /// A recompute sets `corrected` also where nothing differs.
    pub(crate) correct_equal: bool,
    /// A recompute that found another `corrected` begins again.
    pub(crate) correct_again: bool,
    /// A new parent's records are taken over: of the children that refer to it.
    pub(crate) adopt: bool,
    /// And of those whose record names it.
    pub(crate) adopt_named: bool,
    /// One without children is no longer new at once only if it is as it was inserted.
    pub(crate) adopt_touched: bool,
    /// And then gets another `corrected`.
    pub(crate) corrected_at_once: bool,
    /// `recover` does the same for a parent that is `new`.
    pub(crate) recover_adopts: bool,
    /// `new` goes only if it is the one that was read.
    pub(crate) own_new: bool,
    /// Where a mark was applied at a parent that may be younger than the mark, and somebody took its children over, the parent is recomputed.
    pub(crate) recheck: bool,
    /// Also where the mark was revoked at another parent.
    pub(crate) recheck_revoked: bool,
    /// Whose apply was not answered leaves the mark revoked where it is: the server may do it yet.
    pub(crate) unanswered_stays: bool,
    /// Whose write was not answered goes on with nothing.
    pub(crate) unanswered_stops: bool,
}

/// The protocol that was chosen.
pub(crate) const CHOSEN: Protocol = Protocol {
    take_over: true,
    revoke: true,
    heed_revoked: true,
    pin_reference: true,
    pin_at: true,
    revoked_stays: true,
    take_over_then_forget: true,
    taker_forgets_nothing: true,
    clear_own: true,
    clear_majority: true,
    gone_majority: true,
    writes_first: true,
    by: true,
    by_outlives: true,
    dirty: true,
    plus: true,
    plus_unchanged: true,
    read_applied_first: true,
    read_plain_first: true,
    corrected: true,
    correct_equal: true,
    correct_again: true,
    adopt: true,
    adopt_named: true,
    adopt_touched: true,
    corrected_at_once: true,
    recover_adopts: true,
    own_new: true,
    recheck: true,
    recheck_revoked: true,
    unanswered_stays: true,
    unanswered_stops: true,
};
