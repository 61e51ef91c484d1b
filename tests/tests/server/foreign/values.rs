//! Three values of each type in ascending order, with their stored forms.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use chrono::{NaiveDate, Utc};
use jiff::{Timestamp, civil};
use mongodb::bson::{Binary, Bson, Decimal128, spec::BinarySubtype};
use rust_decimal::Decimal;
use time::OffsetDateTime;
use url::Url;
use uuid::Uuid;

use super::date;
use crate::positions::{Sample, Values};

/// The milliseconds of three points in time, the first before 1970.
const TIMES: [i64; 3] = [-1, 0, 1_234_567_890_123];

/// The milliseconds of a day.
const DAY: i64 = 24 * 60 * 60 * 1000;

impl Sample for chrono::DateTime<Utc> {
    fn values() -> Values<Self> {
        TIMES.map(|time| (chrono::DateTime::from_timestamp_millis(time).unwrap(), date(time)))
    }
}

impl Sample for NaiveDate {
    fn values() -> Values<Self> {
        [((1969, 12, 31), -1), ((1970, 1, 1), 0), ((2024, 1, 1), 19_723)]
            .map(|((year, month, day), days)| (NaiveDate::from_ymd_opt(year, month, day).unwrap(), date(days * DAY)))
    }
}

impl Sample for Timestamp {
    fn values() -> Values<Self> {
        TIMES.map(|time| (Timestamp::from_millisecond(time).unwrap(), date(time)))
    }
}

impl Sample for civil::Date {
    fn values() -> Values<Self> {
        [
            (civil::date(1969, 12, 31), date(-DAY)),
            (civil::date(1970, 1, 1), date(0)),
            (civil::date(2024, 1, 1), date(19_723 * DAY)),
        ]
    }
}

impl Sample for OffsetDateTime {
    fn values() -> Values<Self> {
        let of = |time| OffsetDateTime::from_unix_timestamp_nanos(i128::from(time) * 1_000_000).unwrap();
        TIMES.map(|time| (of(time), date(time)))
    }
}

impl Sample for SystemTime {
    fn values() -> Values<Self> {
        // serde writes no `SystemTime` before 1970.
        [1, 2, 1_234_567_890_123].map(|time| (UNIX_EPOCH + Duration::from_millis(time), date(time as i64)))
    }
}

impl Sample for Uuid {
    fn values() -> Values<Self> {
        [1, 0x8000, u128::MAX].map(|number: u128| {
            let bytes = number.to_be_bytes().to_vec();
            (Uuid::from_u128(number), Bson::Binary(Binary { subtype: BinarySubtype::Uuid, bytes }))
        })
    }
}

impl Sample for Decimal {
    fn values() -> Values<Self> {
        ["-12.50", "0.0000000000000000000000000001", "79228162514264337593543950335"].map(|text| {
            let number: Decimal128 = text.parse().unwrap();
            (Decimal::from_str_exact(text).unwrap(), Bson::Decimal128(number))
        })
    }
}

impl Sample for IpAddr {
    fn values() -> Values<Self> {
        // In the order of the texts.
        ["10.0.0.10", "10.0.0.9", "2001:db8::1"].map(|text| (text.parse().unwrap(), Bson::from(text)))
    }
}

impl Sample for Ipv4Addr {
    fn values() -> Values<Self> {
        ["10.0.0.10", "10.0.0.9", "255.255.255.255"].map(|text| (text.parse().unwrap(), Bson::from(text)))
    }
}

impl Sample for Ipv6Addr {
    fn values() -> Values<Self> {
        let longest = "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff";
        ["2001:db8::1", "::1", longest].map(|text| (text.parse().unwrap(), Bson::from(text)))
    }
}

impl Sample for Url {
    fn values() -> Values<Self> {
        ["http://a.example/", "https://b.example/x?y=1#z", "mailto:c@example.org"]
            .map(|text| (Url::parse(text).unwrap(), Bson::from(text)))
    }
}
