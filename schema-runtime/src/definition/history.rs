//! A list that keeps its newest entries.

use super::{Direction, FieldDefinition, Kind, OrderKey, find};

/// A field with `#[history(..)]`.
#[derive(Clone, Copy, Debug)]
pub struct HistoryDefinition {
    /// The most entries of the list.
    pub keep: u64,
    /// The order of the entries; the order of arrival when empty.
    pub order: &'static [OrderKey],
    /// The fields of an entry with the start and the end of its interval, in Rust.
    pub interval: Option<(&'static str, &'static str)>,
}

impl HistoryDefinition {
    /// Creates a history without intervals.
    pub const fn new(keep: u64, order: &'static [OrderKey]) -> Self {
        HistoryDefinition { keep, order, interval: None }
    }

    /// Sets the fields with the start and the end of the interval of an entry.
    pub const fn interval(self, start: &'static str, end: &'static str) -> Self {
        HistoryDefinition { interval: Some((start, end)), ..self }
    }

    /// Returns whether the newest entries come first.
    pub(crate) fn is_newest_first(&self) -> bool {
        let ascending = |key: &OrderKey| key.direction == Direction::Ascending;
        match self.order.first() {
            Some(key) => !ascending(key),
            None => self.interval.is_some(),
        }
    }
}

/// Returns the stored name of a field of the entries.
pub(crate) fn of_entry(field: &FieldDefinition, rust_name: &'static str) -> &'static str {
    let Kind::Array { items, .. } = field.shape.kind else { return rust_name };
    let Kind::Document { fields, .. } = items.kind else { return rust_name };
    find(fields, rust_name).map_or(rust_name, |field| field.name)
}
