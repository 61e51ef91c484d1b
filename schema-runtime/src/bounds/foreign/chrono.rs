//! The types of `chrono`.

use ::chrono::{DateTime, Days, FixedOffset, NaiveDate, NaiveDateTime, Utc};
use mongodb::bson::Bson;

use super::{
    ForeignValue, foreign,
    instant::{self, OUT_OF_RANGE},
    refused,
};
use crate::definition::{Holds, Reason, Scalar, Shape};

/// The nanoseconds of a second.
const SECOND: i128 = 1_000_000_000;

impl ForeignValue for DateTime<Utc> {
    const NAME: &'static str = "chrono::DateTime<Utc>";

    fn is_stored(value: &Bson) -> bool {
        instant::is_date(value)
    }

    fn to_stored(&self) -> Result<Bson, Reason> {
        let nanoseconds = i128::from(self.timestamp_subsec_nanos());
        if nanoseconds >= SECOND {
            return Err(Reason("the time is in a leap second, which a BSON date does not have"));
        }
        instant::date(i128::from(self.timestamp()) * SECOND + nanoseconds)
    }

    fn of_stored(value: &Bson) -> Result<Self, Reason> {
        DateTime::from_timestamp_millis(instant::milliseconds(value)?).ok_or(OUT_OF_RANGE)
    }
}

/// The first day of 1970.
const EPOCH: NaiveDate = NaiveDate::from_ymd_opt(1970, 1, 1).unwrap();

impl ForeignValue for NaiveDate {
    const NAME: &'static str = "chrono::NaiveDate";
    const HOLDS: Holds = Holds::Days;

    fn is_stored(value: &Bson) -> bool {
        instant::is_date(value)
    }

    fn to_stored(&self) -> Result<Bson, Reason> {
        instant::midnight(self.signed_duration_since(EPOCH).num_days())
    }

    fn of_stored(value: &Bson) -> Result<Self, Reason> {
        let days = instant::days(value)?;
        let distance = Days::new(days.unsigned_abs());
        let date = if days < 0 { EPOCH.checked_sub_days(distance) } else { EPOCH.checked_add_days(distance) };
        date.ok_or(OUT_OF_RANGE)
    }
}

foreign! {
    DateTime<Utc>, Date: Shape::scalar(Scalar::DateTime);
    NaiveDate, Day: Shape::scalar(Scalar::DateTime);
}

refused! {
    DateTime<FixedOffset>, "chrono::DateTime<FixedOffset>",
        "a BSON date has no offset, and the offset of the value would be lost",
        "store a `DateTime<Utc>`, and the offset in a field of its own";
    NaiveDateTime, "chrono::NaiveDateTime",
        "a BSON date is a point in time in UTC, and the value does not say in which zone the value is",
        "store a `DateTime<Utc>`: `naive.and_utc()`";
}
