//! The parts of the protocol. Each part can be left out, to see which property breaks. May use nothing.

/// The guard of the take: a found child is deleted, or the reference of the child is set to null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Take {
    /// Takes the child only if the child still refers to the parent.
    Referring,
    /// As `Referring`, after a read of the parent with the mark.
    Checked,
    /// As `Checked`, and `_unchecked` must be unchanged since the child was found. Without transactions no better way
    /// exists.
    AsFound,
    /// In a transaction that reads the mark: the child refers to the parent while the parent has the mark.
    InTransaction,
}

/// The active parts of the protocol. The names are the names of `docs/delete-rules-protocol.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Protocol {
    /// A child is inserted with `_unchecked`.
    pub(crate) unchecked: bool,
    /// A clear or a delete requires the `_unchecked` that the client has read or set. Without: any `_unchecked`.
    pub(crate) own_unchecked: bool,
    /// The parent is read after the insert. Without: before the insert.
    pub(crate) read_after_insert: bool,
    /// A client with a clear that matched nothing looks for the child. Without: the client takes the child for stored.
    pub(crate) look_at_clear: bool,
    /// A client with a delete of an unchecked child that matched nothing looks for the child too. Without: the answer
    /// is an error.
    pub(crate) look_at_delete: bool,
    /// A transaction writes a reference only if the parent has no mark. Without: if the parent is stored.
    pub(crate) heed_mark: bool,
    /// An update in a transaction removes `_unchecked`: the update has checked the reference.
    pub(crate) update_clears: bool,
    /// A client that marks a parent looks after the mark for children that restrict. Without: only before the mark.
    pub(crate) look_after_mark: bool,
    /// A client that marked the parent in a transaction looks after the commit too.
    pub(crate) look_after_commit: bool,
    /// A mark tells whether a client has looked, and a mark that has passed stays. Without: any mark may be removed.
    pub(crate) passed: bool,
    /// A client that could not let a mark pass reads the parent. Without: goes on.
    pub(crate) look_at_pass: bool,
    /// A client that finds the mark of another client goes on with the found mark. Without: replaces the found mark by
    /// a new mark.
    pub(crate) adopt: bool,
    pub(crate) take: Take,
    /// A parent is deleted only with the mark that has passed. Without: with any mark or none.
    pub(crate) delete_marked: bool,
    /// `recover` leaves an unchecked child of a parent with a mark alone. Without: deletes the child.
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
