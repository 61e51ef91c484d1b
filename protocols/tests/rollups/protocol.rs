//! The parts of the protocol. Each part can be left out, and the model breaks. May use nothing.

/// The parts that a run has. The names are the same in `docs/rollups-protocol.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Protocol {
    /// The children's write and the differences of the parents are one transaction.
    pub(crate) one_transaction: bool,
    /// An addition to a missing parent is left. Without: no client keeps the difference.
    pub(crate) leave_plus: bool,
    /// A removal from a missing parent is left. Without: no client keeps the difference.
    pub(crate) leave_minus: bool,
    /// After two conflicts the differences are left. Without: every attempt applies.
    pub(crate) leave_after_conflicts: bool,
    /// A transaction that leaves a child which may not dangle writes the parent too. Without: only reads the parent.
    pub(crate) touch: bool,
    /// A left difference tells that the extremes are to be read again.
    pub(crate) leave_extremes: bool,
    /// A removal of a minimum reads the children again in the same transaction. Without: after the commit.
    pub(crate) reread_inside: bool,
    /// The parent is asked in the transaction whether a removal takes the minimum. Without: before.
    pub(crate) ask_inside: bool,
    /// An apply writes the parent in any case. Without: only if the apply changes the parent.
    pub(crate) apply_writes: bool,
    /// A fold deletes the deltas and applies the sum in one transaction.
    pub(crate) fold_at_once: bool,
    /// A fold reads the extremes again if a delta says `extremes`.
    pub(crate) fold_reread: bool,
    /// A fold writes the parent in any case.
    pub(crate) fold_writes: bool,
    /// A fold that finds no parent keeps the deltas, merged into one. Without: deletes the deltas.
    pub(crate) fold_merges: bool,
    /// A recount deletes the deltas of the parent.
    pub(crate) recount_deletes: bool,
    /// A recount sets counts as well as the sum that was lost.
    pub(crate) recount_whole: bool,
    /// A recount sets `corrected`.
    pub(crate) recount_corrects: bool,
    /// The insert of a parent counts the children in the same transaction. Without: before.
    pub(crate) insert_counts: bool,
    /// The insert of a parent deletes the deltas of the parent.
    pub(crate) insert_deletes: bool,
    /// The insert of a parent sets `corrected`.
    pub(crate) insert_corrects: bool,
    /// Deltas of a missing parent are deleted when the deltas are old. Without: at once.
    pub(crate) drop_old: bool,
    /// A recompute corrects only if no other client has corrected since the read.
    pub(crate) corrected: bool,
    /// A recompute corrects by the difference. Without: sets the counts.
    pub(crate) by_difference: bool,
    /// A recompute takes the deltas for counted.
    pub(crate) with_deltas: bool,
    /// A recompute reads parent, deltas and children at one time.
    pub(crate) one_snapshot: bool,
    /// A recompute reads the extremes again in a transaction.
    pub(crate) reread_transaction: bool,
    /// A client without an answer asks for the same transaction. Without: the client begins a new transaction.
    pub(crate) ask_same: bool,
    /// The members of a failed group are sent again individually. Without: all members fail.
    pub(crate) one_by_one: bool,
}

pub(crate) const CHOSEN: Protocol = Protocol {
    one_transaction: true,
    leave_plus: true,
    leave_minus: true,
    leave_after_conflicts: true,
    touch: true,
    leave_extremes: true,
    reread_inside: true,
    ask_inside: true,
    apply_writes: true,
    fold_at_once: true,
    fold_reread: true,
    fold_writes: true,
    fold_merges: true,
    recount_deletes: true,
    recount_whole: true,
    recount_corrects: true,
    insert_counts: true,
    insert_deletes: true,
    insert_corrects: true,
    drop_old: true,
    corrected: true,
    by_difference: true,
    with_deltas: true,
    one_snapshot: true,
    reread_transaction: true,
    ask_same: true,
    one_by_one: true,
};
