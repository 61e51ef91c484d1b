//! The types of `time`.

use ::time::OffsetDateTime;
use mongodb::bson::Bson;

use super::{
    ForeignValue, foreign,
    instant::{self, OUT_OF_RANGE},
};
use crate::definition::{Reason, Scalar, Shape};

/// The nanoseconds of a millisecond.
const MILLISECOND: i128 = 1_000_000;

impl ForeignValue for OffsetDateTime {
    const NAME: &'static str = "time::OffsetDateTime";

    fn is_stored(value: &Bson) -> bool {
        instant::is_date(value)
    }

    fn to_stored(&self) -> Result<Bson, Reason> {
        instant::date(self.unix_timestamp_nanos())
    }

    fn of_stored(value: &Bson) -> Result<Self, Reason> {
        let nanoseconds = i128::from(instant::milliseconds(value)?) * MILLISECOND;
        OffsetDateTime::from_unix_timestamp_nanos(nanoseconds).map_err(|_| OUT_OF_RANGE)
    }
}

foreign! {
    OffsetDateTime, Date: Shape::scalar(Scalar::DateTime);
}
