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

    /// Returns the begin of the period that is `count` periods after the period of a date.
    pub(super) fn after(&self, date: &str, count: impl Into<Bson>) -> Bson {
        let zone = doc! { "$literal": self.zone };
        self.begin(doc! { "$dateAdd": { "startDate": date, "unit": self.unit, "amount": count, "timezone": zone } })
    }

    /// Returns the number of begins of periods between two dates.
    pub(super) fn crossed(&self, from: &str, to: &str) -> Bson {
        let zone = doc! { "$literal": self.zone };
        let mut parts = doc! { "startDate": from, "endDate": to, "unit": self.unit, "timezone": zone };
        if self.unit == "week" {
            parts.insert("startOfWeek", self.start_of_week);
        }
        doc! { "$dateDiff": parts }.into()
    }

    /// Returns the milliseconds of the shortest period of the unit.
    pub(super) fn shortest_millis(&self) -> i64 {
        const HOUR: i64 = 3_600_000;
        match self.unit {
            "second" => 1_000,
            "minute" => 60_000,
            "hour" => HOUR,
            "day" => 23 * HOUR,
            "week" => 167 * HOUR,
            "month" => 671 * HOUR,
            "quarter" => 2_150 * HOUR,
            _ => 8_760 * HOUR,
        }
    }
}
