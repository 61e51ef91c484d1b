//! The parts of the protocol, each of which can be left out, to see what breaks. May use nothing.

/// How a child that was found is deleted, or its reference set to null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Take {
    /// Where it still refers to the parent.
    Referring,
    /// The same, after the parent was read and has the mark.
    Checked,
    /// The same, and `_unchecked` is as it was found. Without transactions there is no better.
    AsFound,
    /// In a transaction that reads the mark: the child is one that refers to the parent while that has it.
    InTransaction,
}

/// What there is of the protocol. The names are those of `docs/delete-rules-protocol.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Protocol {
    /// A child is inserted with `_unchecked`.
    pub(crate) unchecked: bool,
    /// Only the `_unchecked` that was read, or that one set oneself, is cleared or deleted by. Without: any.
    pub(crate) own_unchecked: bool,
    /// The parent is read after the insert. Without: before it.
    pub(crate) read_after_insert: bool,
    /// Whose clear matched nothing looks whether the child is there. Without: takes it to be.
    pub(crate) look_at_clear: bool,
    /// Whose delete of an unchecked child matched nothing looks too. Without: the answer is an error.
    pub(crate) look_at_delete: bool,
    /// Who writes a reference in a transaction does so only where the parent has no mark. Without: where it is there.
    pub(crate) heed_mark: bool,
    /// And an update takes away `_unchecked`: it has checked the reference.
    pub(crate) update_clears: bool,
    /// Who marks a parent looks for children that restrict after that. Without: before it alone.
    pub(crate) look_after_mark: bool,
    /// So does who marked it in a transaction, after the commit.
    pub(crate) look_after_commit: bool,
    /// A mark says whether somebody has looked, and one that has passed stays. Without: any may go.
    pub(crate) passed: bool,
    /// Who could not let a mark pass reads the parent. Without: goes on.
    pub(crate) look_at_pass: bool,
    /// Who finds another's mark goes on with it. Without: puts its own in its place.
    pub(crate) adopt: bool,
    pub(crate) take: Take,
    /// A parent is deleted only with the mark that has passed. Without: whatever it has.
    pub(crate) delete_marked: bool,
    /// `recover` leaves an unchecked child of a parent with a mark alone. Without: deletes it.
    pub(crate) leave_marked: bool,
}

/// The protocol that was chosen.
pub(crate) const CHOSEN: Protocol = Protocol {
    unchecked: true,
    own_unchecked: true,
    read_after_insert: true,
    look_at_clear: true,
    look_at_delete: true,
    heed_mark: true,
    update_clears: true,
    look_after_mark: true,
    look_after_commit: true,
    passed: true,
    look_at_pass: true,
    adopt: true,
    take: Take::InTransaction,
    delete_marked: true,
    leave_marked: true,
};
