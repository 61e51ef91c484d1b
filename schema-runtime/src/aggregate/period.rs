//! Periods of time in a time zone, in the server's words. Pure.

use mongodb::bson::{Bson, doc};

/// A unit of time in a zone.
#[derive(Clone, Copy)]
pub(super) struct Period<'a> {
    pub(super) unit: &'a str,
    pub(super) zone: &'a str,
    pub(super) start_of_week: &'a str,
}

impl Period<'_> {
    /// Returns the begin of the period of a date.
    pub(super) fn begin(&self, date: impl Into<Bson>) -> Bson {
        let mut parts = doc! { "date": date, "unit": self.unit, "timezone": { "$literal": self.zone } };
        if self.unit == "week" {
            parts.insert("startOfWeek", self.start_of_week);
        }
        doc! { "$dateTrunc": parts }.into()
    }
}
