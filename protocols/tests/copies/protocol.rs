//! The parts of the protocol, each of which can be left out, to see what breaks. May use nothing.

/// How a source's version is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Versions {
    /// `$currentDate` of type timestamp: the server's logical clock, which ticks for every use and never goes back.
    LogicalTime,
    /// `max(_v + 1, $$NOW in milliseconds)`.
    Milliseconds,
    /// `$inc`.
    Counter,
}

/// What there is of the protocol. The names are those of `docs/copies-protocol.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Protocol {
    pub(crate) versions: Versions,
    /// A source gets its version by an update of the stored document, never by the insert that makes it.
    pub(crate) version_after_insert: bool,
    /// A smaller version never overwrites a larger one.
    pub(crate) guard: bool,
    /// A write of a source leaves a mark in it, by the same command.
    pub(crate) mark_on_source: bool,
    /// The mark is cleared after the sweep, not before.
    pub(crate) clear_after_sweep: bool,
    /// Only the mark that the propagation began with is cleared.
    pub(crate) clear_own_mark: bool,
    /// A sweep propagates every field that its path copies, not only the changed one.
    pub(crate) whole_path: bool,
    /// A transactional write sweeps once more after its commit.
    pub(crate) sweep_after_commit: bool,
    /// A source that is inserted under an `_id` of the user's is marked and swept.
    pub(crate) insert_marks: bool,
    /// Who put a copy into a holder reads the source again.
    pub(crate) look: bool,
    /// A holder that got a copy propagates a mark until the look is done.
    pub(crate) mark_in_holder: bool,
    /// Only the mark that one set oneself is cleared in a holder.
    pub(crate) clear_own_holder_mark: bool,
    /// Recover puts a mark of its own in the place of a holder's before it reads the holder: a bulk may write that again with the mark it had.
    pub(crate) recover_marks_again: bool,
    /// What the look writes goes only to a holder that still has this reference.
    pub(crate) repair_pins_reference: bool,
    /// A re-assignment writes nothing to a holder that has a newer version of this source; it reads the source again.
    pub(crate) reassign_guard: bool,
    /// The one who looked clears the holder's mark at once. Without it, that is left to a later batch or to recover.
    pub(crate) clear_holder_at_once: bool,
    /// The intent of an insert of many is there before the holders are.
    pub(crate) intent_before_insert: bool,
    /// Recover keeps an intent whose holder is not there: its inserter may be slow, not dead.
    pub(crate) keeps_open_intents: bool,
    /// Lease: the mark stays for so many ticks of the server's clock, and the source is swept once more.
    pub(crate) lease: Option<u8>,
}

/// The protocol as it is chosen.
pub(crate) const CHOSEN: Protocol = Protocol {
    versions: Versions::LogicalTime,
    version_after_insert: true,
    guard: true,
    mark_on_source: true,
    clear_after_sweep: true,
    clear_own_mark: true,
    whole_path: true,
    sweep_after_commit: true,
    insert_marks: true,
    look: true,
    mark_in_holder: true,
    clear_own_holder_mark: true,
    recover_marks_again: true,
    repair_pins_reference: true,
    reassign_guard: true,
    clear_holder_at_once: true,
    intent_before_insert: true,
    keeps_open_intents: true,
    lease: None,
};
