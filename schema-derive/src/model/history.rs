//! `#[history(keep = 50, order = desc(date_start), interval(date_start, date_end))]`

use syn::Expr;

use super::{Number, OrderKey};

pub(crate) struct History {
    /// The most entries that it holds.
    pub(crate) keep: Number,
    /// In which order; in that of their arrival, if it is empty.
    pub(crate) order: Vec<OrderKey>,
    /// The fields of an entry from when and until when it holds.
    pub(crate) interval: Option<Interval>,
}

/// Two fields of the entries, in Rust without `r#`.
pub(crate) struct Interval {
    pub(crate) start: String,
    pub(crate) end: String,
    /// `interval(date_start, date_end)`, as written.
    pub(crate) tokens: Expr,
}
