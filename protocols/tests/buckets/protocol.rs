//! The parts of the protocol, each of which can be left out, to see what breaks. May use nothing.

/// What there is of the protocol. The names are those of `docs/buckets-protocol.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Protocol {
    /// An insert pushes only where there is capacity.
    pub(crate) count_guard: bool,
    /// And where the child is not: a unique index does not look inside of one document.
    pub(crate) own_guard: bool,
    /// A unique index of parent and page.
    pub(crate) unique_page: bool,
    /// A unique index of the ids of children.
    pub(crate) unique_child: bool,
    /// After a duplicate key the client looks whether the child is there. Without: it takes that for granted.
    pub(crate) look: bool,
    /// A child that is there is one's own only if an earlier command was not answered.
    pub(crate) asked: bool,
    /// The push sorts the children of the page.
    pub(crate) sort: bool,
    /// A push that does not sort asks that its child comes behind all others yet.
    pub(crate) last_guard: bool,
    /// A page says that it is followed, before the next one begins: no push that has read nothing goes there.
    pub(crate) follow: bool,
    /// The page that a pour makes or fills is followed.
    pub(crate) pour_follows: bool,
    /// A migration says so of the full page before the one that it begins.
    pub(crate) migrate_follows: bool,
    /// The server refuses a bucket whose count is not that of its children.
    pub(crate) validator: bool,
    /// A change that has found no child in the page looks for it again.
    pub(crate) look_again: bool,
    /// A pour is one transaction.
    pub(crate) pour_transaction: bool,
    /// Its reads are in it.
    pub(crate) read_in_transaction: bool,
    /// A pour takes the first children of the later page. Without: the last ones.
    pub(crate) pour_first: bool,
    /// A pour widens the bounds of the earlier page.
    pub(crate) pour_bounds: bool,
    /// An empty page at the end goes an hour after it was marked. Without: at once.
    pub(crate) trim_late: bool,
    /// Only if it is the marked one that is empty yet.
    pub(crate) trim_guard: bool,
    /// Who pushes takes the mark away.
    pub(crate) unmark: bool,
    /// A stream reads all pages as they are at one time. Without: one after the other.
    pub(crate) stream_snapshot: bool,
    /// Children migrate by transactions.
    pub(crate) migrate_transaction: bool,
    /// A change meanwhile looks first where children come from.
    pub(crate) source_first: bool,
    /// A repair is one update by pipeline.
    pub(crate) repair_at_once: bool,
}

/// The protocol that was chosen.
pub(crate) const CHOSEN: Protocol = Protocol {
    count_guard: true,
    own_guard: true,
    unique_page: true,
    unique_child: true,
    look: true,
    asked: true,
    sort: true,
    last_guard: true,
    follow: true,
    pour_follows: true,
    migrate_follows: true,
    validator: true,
    look_again: true,
    pour_transaction: true,
    read_in_transaction: true,
    pour_first: true,
    pour_bounds: true,
    trim_late: true,
    trim_guard: true,
    unmark: true,
    stream_snapshot: true,
    migrate_transaction: true,
    source_first: true,
    repair_at_once: true,
};
