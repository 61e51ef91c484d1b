//! The types of the standard library.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use mongodb::bson::Bson;

use super::{
    ForeignValue, foreign,
    instant::{self, OUT_OF_RANGE},
};
use crate::definition::{Holds, Kind, Reason, Scalar, Shape};

impl ForeignValue for SystemTime {
    const NAME: &'static str = "std::time::SystemTime";

    fn is_stored(value: &Bson) -> bool {
        instant::is_date(value)
    }

    fn to_stored(&self) -> Result<Bson, Reason> {
        let nanoseconds = match self.duration_since(UNIX_EPOCH) {
            Ok(after) => i128::try_from(after.as_nanos()),
            Err(before) => i128::try_from(before.duration().as_nanos()).map(|before| -before),
        };
        instant::date(nanoseconds.map_err(|_| OUT_OF_RANGE)?)
    }

    fn of_stored(value: &Bson) -> Result<Self, Reason> {
        let milliseconds = instant::milliseconds(value)?;
        let distance = Duration::from_millis(milliseconds.unsigned_abs());
        let time = if milliseconds < 0 { UNIX_EPOCH.checked_sub(distance) } else { UNIX_EPOCH.checked_add(distance) };
        time.ok_or(OUT_OF_RANGE)
    }
}

foreign! {
    SystemTime, Date: Shape::scalar(Scalar::DateTime);
}

/// Implements the stored form of an address: the text for people. `$longest` is the number of characters of the longest
/// text.
macro_rules! address {
    ($($type:ident, $name:literal, $longest:literal;)*) => {$(
        impl ForeignValue for $type {
            const NAME: &'static str = $name;
            const HOLDS: Holds = Holds::Part;

            fn is_stored(value: &Bson) -> bool {
                matches!(value, Bson::String(_))
            }

            fn to_stored(&self) -> Result<Bson, Reason> {
                Ok(Bson::String(self.to_string()))
            }

            fn of_stored(value: &Bson) -> Result<Self, Reason> {
                let text = value.as_str().ok_or(Reason("the value is no string"))?;
                text.parse().map_err(|_| Reason("the string is no address of this type"))
            }
        }

        foreign! {
            $type, Text: Shape::new(Kind::String { max_len: Some($longest) });
        }
    )*};
}

address! {
    IpAddr, "std::net::IpAddr", 39;
    Ipv4Addr, "std::net::Ipv4Addr", 15;
    Ipv6Addr, "std::net::Ipv6Addr", 39;
}
