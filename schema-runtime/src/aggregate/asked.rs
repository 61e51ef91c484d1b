//! A request for groups, and the stages of the request. Pure.

use std::ops::Range;

use mongodb::bson::{DateTime, Document, doc};

/// The conditions, the order and the size of the result.
#[derive(Clone, Default)]
pub(super) struct Asked {
    pub(super) filter: Document,
    /// The conditions on the groups of the other aggregation.
    pub(super) inner_having: Document,
    /// The dates of the periods that get a group without documents.
    pub(super) fill: Option<Range<DateTime>>,
    /// The time zone of the call.
    pub(super) zone: Option<String>,
    pub(super) having: Document,
    pub(super) sort: Document,
    pub(super) skip: u64,
    pub(super) limit: u64,
    /// True when the options of the read name an index or a collation.
    pub(super) is_chosen: bool,
}

/// Returns a stage; `None` for an empty operand.
pub(super) fn stage(name: &str, part: Document) -> Option<Document> {
    (!part.is_empty()).then(|| doc! { name: part })
}
