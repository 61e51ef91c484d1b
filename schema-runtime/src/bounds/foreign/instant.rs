//! Points in time as BSON dates, which count milliseconds.

use mongodb::bson::{Bson, DateTime};

use crate::definition::Reason;

/// The nanoseconds of a millisecond.
const MILLISECOND: i128 = 1_000_000;

/// The milliseconds of a day.
#[cfg(any(feature = "chrono", feature = "jiff"))]
const DAY: i64 = 24 * 60 * 60 * 1000;

/// The reason against a date that a BSON date or a type of Rust cannot hold.
pub(super) const OUT_OF_RANGE: Reason = Reason("the date is out of range");

/// The reason against a stored value of another type.
const NO_DATE: Reason = Reason("the value is no date");

/// Returns whether a value is a date.
pub(super) fn is_date(value: &Bson) -> bool {
    matches!(value, Bson::DateTime(_))
}

/// Returns the date of a number of nanoseconds since 1970, rounded down to a millisecond.
pub(super) fn date(nanoseconds: i128) -> Result<Bson, Reason> {
    i64::try_from(nanoseconds.div_euclid(MILLISECOND)).map(of_milliseconds).map_err(|_| OUT_OF_RANGE)
}

/// Returns the milliseconds since 1970 of a stored date.
pub(super) fn milliseconds(value: &Bson) -> Result<i64, Reason> {
    match value {
        Bson::DateTime(date) => Ok(date.timestamp_millis()),
        _ => Err(NO_DATE),
    }
}

/// Returns the midnight in UTC of a number of days since 1970.
#[cfg(any(feature = "chrono", feature = "jiff"))]
pub(super) fn midnight(days: i64) -> Result<Bson, Reason> {
    days.checked_mul(DAY).map(of_milliseconds).ok_or(OUT_OF_RANGE)
}

/// Returns the days since 1970 of a stored midnight.
#[cfg(any(feature = "chrono", feature = "jiff"))]
pub(super) fn days(value: &Bson) -> Result<i64, Reason> {
    let milliseconds = milliseconds(value)?;
    match milliseconds.rem_euclid(DAY) {
        0 => Ok(milliseconds.div_euclid(DAY)),
        _ => Err(Reason("the date has a time, and the type of the field is a day")),
    }
}

fn of_milliseconds(milliseconds: i64) -> Bson {
    Bson::DateTime(DateTime::from_millis(milliseconds))
}
