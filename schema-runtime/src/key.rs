//! An `_id` as a key of a hash map, so that the same id is the same key whatever numeric type it was written with.

use mongodb::bson::{Bson, RawBsonRef};

/// An `_id`, comparable as MongoDB compares it: `1`, `1_i64` and `1.0` are one id.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    ObjectId([u8; 12]),
    Integer(i64),
    String(Box<str>),
    /// Any other value, by its text.
    Other(Box<str>),
}

impl Key {
    pub(crate) fn of(value: &Bson) -> Key {
        match value {
            Bson::ObjectId(id) => Key::ObjectId(id.bytes()),
            Bson::Int32(number) => Key::Integer(i64::from(*number)),
            Bson::Int64(number) => Key::Integer(*number),
            Bson::Double(number) => Key::of_double(*number),
            Bson::String(text) => Key::String(text.as_str().into()),
            other => Key::Other(other.to_string().into()),
        }
    }

    pub(crate) fn of_raw(value: RawBsonRef<'_>) -> Option<Key> {
        Some(match value {
            RawBsonRef::ObjectId(id) => Key::ObjectId(id.bytes()),
            RawBsonRef::Int32(number) => Key::Integer(i64::from(number)),
            RawBsonRef::Int64(number) => Key::Integer(number),
            RawBsonRef::Double(number) => Key::of_double(number),
            RawBsonRef::String(text) => Key::String(text.into()),
            other => Key::Other(Bson::try_from(other).ok()?.to_string().into()),
        })
    }

    /// A whole number is the key of the integer, as the server compares it.
    fn of_double(number: f64) -> Key {
        let whole = number as i64;
        if whole as f64 == number { Key::Integer(whole) } else { Key::Other(number.to_string().into()) }
    }
}
