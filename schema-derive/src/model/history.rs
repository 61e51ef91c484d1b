//! `#[history(keep = 50, order = desc(date_start), interval(date_start, date_end))]`

use syn::Expr;

use super::{Number, OrderKey};

pub(crate) struct History {
    /// The most entries that the history holds.
    pub(crate) keep: Number,
    /// The order of the entries; empty for the order of arrival.
    pub(crate) order: Vec<OrderKey>,
    /// The two fields of an entry that say from when and until when the entry holds.
    pub(crate) interval: Option<Interval>,
}

/// Two fields of the entries, in Rust without `r#`.
pub(crate) struct Interval {
    pub(crate) start: String,
    pub(crate) end: String,
    /// `interval(date_start, date_end)`, as written.
    pub(crate) tokens: Expr,
}
