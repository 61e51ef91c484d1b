//! The types of `jiff`.

use ::jiff::{Span, Timestamp, Zoned, civil::Date, civil::DateTime};
use mongodb::bson::Bson;

use super::{
    ForeignValue, foreign,
    instant::{self, OUT_OF_RANGE},
    refused,
};
use crate::definition::{Holds, Reason, Scalar, Shape};

impl ForeignValue for Timestamp {
    const NAME: &'static str = "jiff::Timestamp";

    fn is_stored(value: &Bson) -> bool {
        instant::is_date(value)
    }

    fn to_stored(&self) -> Result<Bson, Reason> {
        instant::date(self.as_nanosecond())
    }

    fn of_stored(value: &Bson) -> Result<Self, Reason> {
        // `from_millisecond` refuses the last second of the last year.
        Timestamp::from_nanosecond(i128::from(instant::milliseconds(value)?) * 1_000_000).map_err(|_| OUT_OF_RANGE)
    }
}

/// The first day of 1970.
const EPOCH: Date = Date::constant(1970, 1, 1);

impl ForeignValue for Date {
    const NAME: &'static str = "jiff::civil::Date";
    const HOLDS: Holds = Holds::Days;

    fn is_stored(value: &Bson) -> bool {
        instant::is_date(value)
    }

    fn to_stored(&self) -> Result<Bson, Reason> {
        let span = EPOCH.until(*self).map_err(|_| OUT_OF_RANGE)?;
        instant::midnight(i64::from(span.get_days()))
    }

    fn of_stored(value: &Bson) -> Result<Self, Reason> {
        let span = Span::new().try_days(instant::days(value)?);
        span.and_then(|span| EPOCH.checked_add(span)).map_err(|_| OUT_OF_RANGE)
    }
}

foreign! {
    Timestamp, Date: Shape::scalar(Scalar::DateTime);
    Date, Day: Shape::scalar(Scalar::DateTime);
}

refused! {
    Zoned, "jiff::Zoned",
        "a BSON date has no time zone, and the zone of the value would be lost",
        "store a `Timestamp`, and the name of the zone in a field of its own: `zoned.timestamp()`, `zoned.time_zone().iana_name()`";
    DateTime, "jiff::civil::DateTime",
        "a BSON date is a point in time in UTC, and the value does not say in which zone the value is",
        "store a `Timestamp`";
}
