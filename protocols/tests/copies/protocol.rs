//! The parts of the protocol. Each part can be left out, to see which property breaks. May use nothing.

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

/// The active parts of the protocol. The names are the names of `docs/copies-protocol.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Protocol {
    pub(crate) versions: Versions,
    /// A source gets the version by an update of the stored document, never by the insert of the source.
    pub(crate) version_after_insert: bool,
    /// A smaller version never overwrites a larger version.
    pub(crate) guard: bool,
    /// A write of a source leaves a mark in the source, by the same command.
    pub(crate) mark_on_source: bool,
    /// The mark is cleared after the sweep, not before.
    pub(crate) clear_after_sweep: bool,
    /// A clear removes the mark that the propagation began with, and no other mark.
    pub(crate) clear_own_mark: bool,
    /// A sweep propagates every field that the path copies, not only the changed field.
    pub(crate) whole_path: bool,
    /// A transactional write sweeps once more after the commit.
    pub(crate) sweep_after_commit: bool,
    /// A source that is inserted under an `_id` of the user's is marked and swept.
    pub(crate) insert_marks: bool,
    /// A client that put a copy into a holder reads the source again.
    pub(crate) look: bool,
    /// A holder that got a copy has a mark until the look is done.
    pub(crate) mark_in_holder: bool,
    /// A client clears only the client's own mark in a holder.
    pub(crate) clear_own_holder_mark: bool,
    /// Recover replaces a holder's mark by a new mark before recover reads the holder: a bulk may write the holder
    /// again with the old mark.
    pub(crate) recover_marks_again: bool,
    /// The repair after the look goes only to a holder that still has this reference.
    pub(crate) repair_pins_reference: bool,
    /// A re-assignment writes nothing to a holder that has a newer version of this source; the re-assignment reads the
    /// source again.
    pub(crate) reassign_guard: bool,
    /// The client that looked clears the holder's mark at once. Without: a later batch or recover clears the mark.
    pub(crate) clear_holder_at_once: bool,
    /// The intent of an insert of many holders is stored before the holders are inserted.
    pub(crate) intent_before_insert: bool,
    /// Recover keeps an intent with a missing holder: the inserter may be slow, not dead.
    pub(crate) keeps_open_intents: bool,
    /// Lease: the mark stays for so many ticks of the server's clock, and the source is swept once more.
    pub(crate) lease: Option<u8>,
}

/// The chosen protocol.
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
