//! Types that serde writes in a form of their own, with the declared BSON type (`#[stored_as(..)]`): each position,
//! each operand, each way to write, and values of another type than declared.

mod fields;
mod ids;
mod items;
mod property;
mod related;
mod wrong;

use mongodb::bson::{Bson, DateTime as Date};
use schema_runtime::prelude::*;
use serde::{Deserializer, Serializer, de::Error as _};

/// Returns a date of this number of milliseconds.
fn date(milliseconds: i64) -> Bson {
    Bson::DateTime(Date::from_millis(milliseconds))
}

/// An address in small letters.
#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[stored_as(String)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct Email(String);

impl TryFrom<String> for Email {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        match text.contains('@') && text == text.to_lowercase() {
            true => Ok(Email(text)),
            false => Err("no address"),
        }
    }
}

impl From<Email> for String {
    fn from(email: Email) -> String {
        email.0
    }
}

fn email(text: &str) -> Email {
    Email::try_from(text.to_owned()).unwrap()
}

/// Seconds since 1970. Without a function, serde writes a number: a filter that forgets the function finds nothing.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, PartialOrd)]
#[serde(transparent)]
pub(crate) struct Seconds(i64);

/// The functions of serde for `Seconds` as a date.
pub(crate) mod as_date {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(value: &Seconds, serializer: S) -> Result<S::Ok, S::Error> {
        Date::from_millis(value.0 * 1_000).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Seconds, D::Error> {
        let milliseconds = Date::deserialize(deserializer)?.timestamp_millis();
        Ok(Seconds(milliseconds.div_euclid(1_000)))
    }
}

/// The functions of serde for an `Option` of `Seconds`.
pub(crate) mod as_optional_date {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(value: &Option<Seconds>, serializer: S) -> Result<S::Ok, S::Error> {
        value.map(|value| Date::from_millis(value.0 * 1_000)).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Seconds>, D::Error> {
        let date = Option::<Date>::deserialize(deserializer)?;
        Ok(date.map(|date| Seconds(date.timestamp_millis().div_euclid(1_000))))
    }
}

/// The functions of serde for a list of words as one string.
pub(crate) mod as_words {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(words: &[String], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&words.join(" "))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
        let text = String::deserialize(deserializer)?;
        Ok(text.split_whitespace().map(str::to_owned).collect())
    }
}

/// A type of another crate, which serde writes as a number.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(crate) struct Foreign(i64);

/// A number that serde writes as a string where the number is below zero.
#[derive(Embed, Deserialize, Clone, Copy, Debug, PartialEq)]
#[stored_as(i32)]
pub(crate) struct Wrong(i32);

impl Serialize for Wrong {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 < 0 { serializer.serialize_str("secret") } else { serializer.serialize_i32(self.0) }
    }
}

/// A level that serde writes as a number.
#[derive(Embed, Clone, Copy, Debug, PartialEq)]
#[stored_as(i32)]
#[repr(u8)]
pub(crate) enum Level {
    Low = 1,
    Middle = 2,
    High = 3,
}

impl Serialize for Level {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i32(*self as i32)
    }
}

impl<'de> Deserialize<'de> for Level {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match i32::deserialize(deserializer)? {
            1 => Ok(Level::Low),
            2 => Ok(Level::Middle),
            3 => Ok(Level::High),
            _ => Err(D::Error::custom("no level")),
        }
    }
}
