//! The parts of the protocol. Each part can be left out, to see which property breaks. May use nothing.

/// The active parts of the protocol. The names are the names of `docs/buckets-protocol.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Protocol {
    /// An insert pushes only into a page with capacity.
    pub(crate) count_guard: bool,
    /// An insert pushes only into a page without the child: a unique index does not look inside of one document.
    pub(crate) own_guard: bool,
    /// A unique index of parent and page.
    pub(crate) unique_page: bool,
    /// A unique index of the ids of children.
    pub(crate) unique_child: bool,
    /// After a duplicate key the client looks for the child. Without: the client takes the child for inserted.
    pub(crate) look: bool,
    /// A stored child counts as the client's own insert only if an earlier command was not answered.
    pub(crate) asked: bool,
    /// The push sorts the children of the page.
    pub(crate) sort: bool,
    /// A push without a sort requires the child to come behind all children of the page.
    pub(crate) last_guard: bool,
    /// A page is marked `followed` before the next page begins: no push without a read goes to a followed page.
    pub(crate) follow: bool,
    /// A pour marks the page that the pour makes or fills as followed.
    pub(crate) pour_follows: bool,
    /// A migration marks the full page before the page that the migration begins as followed.
    pub(crate) migrate_follows: bool,
    /// The server refuses a bucket with a count that differs from the number of children.
    pub(crate) validator: bool,
    /// A change that has found no child in the page looks for the child again.
    pub(crate) look_again: bool,
    /// A pour is one transaction.
    pub(crate) pour_transaction: bool,
    /// The reads of a pour are inside the transaction.
    pub(crate) read_in_transaction: bool,
    /// A pour takes the first children of the later page. Without: the last children.
    pub(crate) pour_first: bool,
    /// A pour widens the bounds of the earlier page.
    pub(crate) pour_bounds: bool,
    /// An empty page at the end is trimmed an hour after the mark. Without: at once.
    pub(crate) trim_late: bool,
    /// A trim deletes only a page that is still empty and marked.
    pub(crate) trim_guard: bool,
    /// A push removes the mark.
    pub(crate) unmark: bool,
    /// A stream reads all pages at one time. Without: one after the other.
    pub(crate) stream_snapshot: bool,
    /// Children migrate by transactions.
    pub(crate) migrate_transaction: bool,
    /// A change during a migration looks first in the place that the children leave.
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
