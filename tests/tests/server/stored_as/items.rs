//! Types with `#[stored_as(..)]` in each position: see [`positions`](crate::positions).

use mongodb::bson::{Binary, Bson, Decimal128, Uuid, spec::BinarySubtype};
use schema_runtime::prelude::*;
use serde::{Deserializer, Serializer, de::Error as _};

use super::{Email, Level, date, email};
use crate::positions::{Sample, Values, positions};

/// A newtype over a type of another crate, which has a stored form of its own.
#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[stored_as(chrono::DateTime<chrono::Utc>)]
#[serde(from = "chrono::DateTime<chrono::Utc>", into = "chrono::DateTime<chrono::Utc>")]
pub(super) struct Taken(i64);

impl From<chrono::DateTime<chrono::Utc>> for Taken {
    fn from(time: chrono::DateTime<chrono::Utc>) -> Self {
        Taken(time.timestamp())
    }
}

impl From<Taken> for chrono::DateTime<chrono::Utc> {
    fn from(taken: Taken) -> Self {
        chrono::DateTime::from_timestamp(taken.0, 0).unwrap()
    }
}

/// A struct with fields, stored as a number.
#[derive(Embed, Clone, Debug, PartialEq)]
#[stored_as(i64)]
pub(super) struct Money {
    whole: i64,
    cents: i64,
}

impl Serialize for Money {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(self.whole * 100 + self.cents)
    }
}

impl<'de> Deserialize<'de> for Money {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let cents = i64::deserialize(deserializer)?;
        Ok(Money { whole: cents.div_euclid(100), cents: cents.rem_euclid(100) })
    }
}

/// A newtype with a function of serde around its value.
#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[stored_as(String)]
pub(super) struct Hexadecimal(#[serde(with = "as_hexadecimal")] u32);

mod as_hexadecimal {
    use super::*;

    pub(super) fn serialize<S: Serializer>(value: &u32, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&format!("{value:08x}"))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
        u32::from_str_radix(&String::deserialize(deserializer)?, 16).map_err(|_| D::Error::custom("no number"))
    }
}

macro_rules! wrapped {
    ($($name:ident: $type:ty, $text:literal;)*) => {$(
        #[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
        #[stored_as($type)]
        #[serde(from = $text, into = $text)]
        pub(super) struct $name {
            inner: $type,
        }

        impl From<$type> for $name {
            fn from(inner: $type) -> Self {
                $name { inner }
            }
        }

        impl From<$name> for $type {
            fn from(outer: $name) -> Self {
                outer.inner
            }
        }
    )*};
}

wrapped! {
    Price: Decimal128, "Decimal128";
    Token: Uuid, "Uuid";
    Key: ObjectId, "ObjectId";
    Degrees: f64, "f64";
}

impl Sample for Email {
    fn values() -> Values<Self> {
        ["a@example.org", "b@example.org", "c@example.org"].map(|text| (email(text), Bson::from(text)))
    }
}

impl Sample for Taken {
    fn values() -> Values<Self> {
        [-1, 0, 1_234_567_890].map(|seconds| (Taken(seconds), date(seconds * 1_000)))
    }
}

impl Sample for Money {
    fn values() -> Values<Self> {
        [-5, 0, 12_345].map(|cents: i64| {
            (Money { whole: cents.div_euclid(100), cents: cents.rem_euclid(100) }, Bson::Int64(cents))
        })
    }
}

impl Sample for Hexadecimal {
    fn values() -> Values<Self> {
        [(1, "00000001"), (0xff, "000000ff"), (u32::MAX, "ffffffff")]
            .map(|(number, text)| (Hexadecimal(number), Bson::from(text)))
    }
}

impl Sample for Level {
    fn values() -> Values<Self> {
        [(Level::Low, Bson::Int32(1)), (Level::Middle, Bson::Int32(2)), (Level::High, Bson::Int32(3))]
    }
}

impl Sample for Price {
    fn values() -> Values<Self> {
        ["-1.50", "0", "9E+10"].map(|text| {
            let inner: Decimal128 = text.parse().unwrap();
            (Price { inner }, Bson::Decimal128(inner))
        })
    }
}

impl Sample for Token {
    fn values() -> Values<Self> {
        [0, 1, 255].map(|last| {
            let mut bytes = [0; 16];
            bytes[15] = last;
            let stored = Bson::Binary(Binary { subtype: BinarySubtype::Uuid, bytes: bytes.to_vec() });
            (Token { inner: Uuid::from_bytes(bytes) }, stored)
        })
    }
}

impl Sample for Key {
    fn values() -> Values<Self> {
        [0, 1, 255].map(|byte| {
            let inner = ObjectId::from_bytes([byte; 12]);
            (Key { inner }, Bson::ObjectId(inner))
        })
    }
}

impl Sample for Degrees {
    fn values() -> Values<Self> {
        [-0.5, 0.0, 1e300].map(|inner| (Degrees { inner }, Bson::Double(inner)))
    }
}

positions! {
    validated: crate::stored_as::Email;
    with_a_form: crate::stored_as::items::Taken;
    with_fields: crate::stored_as::items::Money;
    with_a_function: crate::stored_as::items::Hexadecimal;
    numbered: crate::stored_as::Level;
    decimal: crate::stored_as::items::Price;
    uuid: crate::stored_as::items::Token;
    object_id: crate::stored_as::items::Key;
    double: crate::stored_as::items::Degrees;
}
