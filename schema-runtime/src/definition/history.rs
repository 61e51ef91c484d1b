//! A list that keeps its newest entries.

use super::{Direction, FieldDefinition, Kind, OrderKey, find};

/// A field with `#[history(..)]`.
#[derive(Clone, Copy, Debug)]
pub struct HistoryDefinition {
    /// The most entries that it holds.
    pub keep: u64,
    /// In which order; in that of their arrival, if it is empty.
    pub order: &'static [OrderKey],
    /// The fields of an entry from when and until when it holds, in Rust.
    pub interval: Option<(&'static str, &'static str)>,
}

impl HistoryDefinition {
    /// One without intervals.
    pub const fn new(keep: u64, order: &'static [OrderKey]) -> Self {
        HistoryDefinition { keep, order, interval: None }
    }

    /// The same, of entries that hold from a time to a time.
    pub const fn interval(self, start: &'static str, end: &'static str) -> Self {
        HistoryDefinition { interval: Some((start, end)), ..self }
    }

    /// Whether the newest entries come first.
    pub(crate) fn is_newest_first(&self) -> bool {
        let ascending = |key: &OrderKey| key.direction == Direction::Ascending;
        match self.order.first() {
            Some(key) => !ascending(key),
            None => self.interval.is_some(),
        }
    }
}

/// The stored name of a field of the entries.
pub(crate) fn of_entry(field: &FieldDefinition, rust_name: &'static str) -> &'static str {
    let Kind::Array { items, .. } = field.shape.kind else { return rust_name };
    let Kind::Document { fields, .. } = items.kind else { return rust_name };
    find(fields, rust_name).map_or(rust_name, |field| field.name)
}
