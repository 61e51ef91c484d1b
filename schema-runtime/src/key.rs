//! An `_id` as a key of a hash map. Equal ids have the same key, also with different numeric types.

mod number;

use std::{
    any::Any,
    hash::{Hash, Hasher},
};

use mongodb::bson::{Bson, RawBsonRef, oid::ObjectId};

use crate::{error::Result, model::Identifier};
use number::{Number, integer};

/// An `_id`, comparable as MongoDB compares ids: `1`, `1_i64` and `1.0` are one id. The order of keys is the same in
/// every client, and has no further meaning.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    ObjectId([u8; 12]),
    Integer(i64),
    String(Box<str>),
    /// Any other value, by the type and the bytes.
    Other(Box<[u8]>),
}

/// Hashes without the variant: the variant tells keys apart too seldom to be worth the time.
impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Key::ObjectId([a, b, c, d, e, f, g, h, i, j, k, l]) => {
                state.write_u64(u64::from_le_bytes([*a, *b, *c, *d, *e, *f, *g, *h]));
                state.write_u32(u32::from_le_bytes([*i, *j, *k, *l]));
            }
            Key::Integer(number) => state.write_i64(*number),
            Key::String(text) => text.hash(state),
            Key::Other(bytes) => bytes.hash(state),
        }
    }
}

impl Key {
    pub(crate) fn of_id<I: Identifier>(id: &I) -> Result<Key> {
        // The usual `_id`; a load makes a key of every reference.
        match (id as &dyn Any).downcast_ref::<ObjectId>() {
            Some(id) => Ok(Key::ObjectId(id.bytes())),
            None => Ok(Key::of(&id.to_bson()?)),
        }
    }

    pub(crate) fn of(value: &Bson) -> Key {
        match value {
            Bson::ObjectId(id) => Key::ObjectId(id.bytes()),
            Bson::Int32(number) => Key::Integer(i64::from(*number)),
            Bson::Int64(number) => Key::Integer(*number),
            Bson::Double(number) => integer(*number).map_or_else(|| Key::of_other(value), Key::Integer),
            Bson::String(text) => Key::String(text.as_str().into()),
            other => Key::of_other(other),
        }
    }

    pub(crate) fn of_raw(value: RawBsonRef<'_>) -> Option<Key> {
        Some(match value {
            RawBsonRef::ObjectId(id) => Key::ObjectId(id.bytes()),
            RawBsonRef::Int32(number) => Key::Integer(i64::from(number)),
            RawBsonRef::Int64(number) => Key::Integer(number),
            RawBsonRef::String(text) => Key::String(text.into()),
            other => Key::of(&Bson::try_from(other).ok()?),
        })
    }

    fn of_other(value: &Bson) -> Key {
        if let Bson::Decimal128(number) = value
            && let Some(number) = number::of_decimal(number).and_then(|number| number.whole())
        {
            return Key::Integer(number);
        }
        let mut bytes = Vec::new();
        write(value, &mut bytes);
        Key::Other(bytes.into())
    }
}

/// Returns whether the server takes the value as an `_id`. In `$in` a pattern would be read as a pattern, and an
/// operator would be an error.
pub(crate) fn may_be_an_id(value: &Bson) -> bool {
    match value {
        Bson::Array(_) | Bson::RegularExpression(_) | Bson::Undefined => false,
        Bson::Document(document) => document.keys().all(|key| !key.starts_with('$')),
        _ => true,
    }
}

/// Writes a value as bytes: two values have the same bytes exactly when the server takes the values for equal.
fn write(value: &Bson, bytes: &mut Vec<u8>) {
    let whole = match value {
        Bson::Int32(number) => Some(i64::from(*number)),
        Bson::Int64(number) => Some(*number),
        Bson::Double(number) => integer(*number),
        Bson::Decimal128(number) => number::of_decimal(number).and_then(|number| number.whole()),
        _ => None,
    };
    if let Some(whole) = whole {
        bytes.push(Tag::Integer as u8);
        bytes.extend(whole.to_le_bytes());
        return;
    }
    match value {
        Bson::Document(document) => {
            bytes.push(Tag::Document as u8);
            bytes.extend((document.len() as u64).to_le_bytes());
            for (name, value) in document {
                text(name, bytes);
                write(value, bytes);
            }
        }
        Bson::Array(elements) => {
            bytes.push(Tag::Array as u8);
            bytes.extend((elements.len() as u64).to_le_bytes());
            for element in elements {
                write(element, bytes);
            }
        }
        Bson::String(value) => {
            bytes.push(Tag::String as u8);
            text(value, bytes);
        }
        Bson::ObjectId(id) => {
            bytes.push(Tag::ObjectId as u8);
            bytes.extend(id.bytes());
        }
        Bson::Binary(binary) => {
            bytes.push(Tag::Binary as u8);
            bytes.push(binary.subtype.into());
            bytes.extend((binary.bytes.len() as u64).to_le_bytes());
            bytes.extend(&binary.bytes);
        }
        Bson::Double(double) => match number::of_double(*double) {
            Some(number) => decimal(&number, bytes),
            None => {
                bytes.push(Tag::Double as u8);
                // Every NaN is the same value.
                let double = if double.is_nan() { f64::NAN } else { *double };
                bytes.extend(double.to_le_bytes());
            }
        },
        Bson::Decimal128(value) => match number::of_decimal(value) {
            Some(number) => decimal(&number, bytes),
            // NaN or infinite: a double may have the same value.
            None => write(&Bson::Double(value.to_string().parse().unwrap_or(f64::NAN)), bytes),
        },
        // The text of any other value begins with the name of the type.
        other => {
            bytes.push(Tag::Other as u8);
            text(&format!("{other:?}"), bytes);
        }
    }
}

fn decimal(number: &Number, bytes: &mut Vec<u8>) {
    bytes.push(Tag::Decimal as u8);
    bytes.push(number.is_negative.into());
    bytes.extend(number.exponent.to_le_bytes());
    text(&number.digits, bytes);
}

fn text(text: &str, bytes: &mut Vec<u8>) {
    bytes.extend((text.len() as u64).to_le_bytes());
    bytes.extend(text.as_bytes());
}

enum Tag {
    Integer,
    Document,
    Array,
    String,
    ObjectId,
    Binary,
    Double,
    Decimal,
    Other,
}

#[cfg(test)]
mod tests {
    use mongodb::bson::{Binary, DateTime, Decimal128, RawDocument, doc, spec::BinarySubtype};

    use super::*;

    fn same(left: impl Into<Bson>, right: impl Into<Bson>) -> bool {
        let (left, right) = (left.into(), right.into());
        Key::of(&left) == Key::of(&right)
    }

    #[test]
    fn numbers_are_equal_across_types() {
        assert!(same(1, 1_i64) && same(1, 1.0) && same(-0.0, 0));
        assert!(same(1, "1".parse::<Decimal128>().unwrap()));
        assert!(same(doc! { "a": 1 }, doc! { "a": 1_i64 }) && same(doc! { "a": [1.0] }, doc! { "a": [1] }));
        assert!(same(f64::NAN, -f64::NAN));
        let decimal = |text: &str| text.parse::<Decimal128>().unwrap();
        for equal in [["1.5", "1.50"], ["1E+2", "100.00"], ["0", "-0E-6176"], ["1E+40", "10E+39"], ["NaN", "-NaN"]] {
            assert!(same(decimal(equal[0]), decimal(equal[1])), "{equal:?}");
            assert!(same(doc! { "a": 1, "d": decimal(equal[0]) }, doc! { "a": 1.0, "d": decimal(equal[1]) }));
        }
        assert!(same(decimal("1E+2"), 100) && same(decimal("1.0"), 1.0) && same(decimal("-2.50"), -2.5));
        assert!(same(decimal("Infinity"), f64::INFINITY) && same(decimal("-Infinity"), f64::NEG_INFINITY));
        assert!(same(decimal("NaN"), f64::NAN) && same(decimal("1180591620717411303424"), 2_f64.powi(70)));
        assert!(!same(decimal("0.1"), 0.1) && !same(decimal("1E+30"), 1e30) && !same(decimal("1.5"), decimal("-1.5")));
        assert!(!same(decimal("1.5"), decimal("15")) && !same(decimal("9223372036854775808"), i64::MAX));
        assert!(!same(1, 1.5) && !same(i64::MAX, 9_223_372_036_854_775_808.0));
        assert!(same(i64::MIN, i64::MIN as f64));
    }

    #[test]
    fn other_values_are_equal_only_to_themselves() {
        assert!(!same("1", 1) && !same(doc! { "a": "1" }, doc! { "a": 1 }));
        assert!(!same(doc! { "a": "x\", \"b\": \"y" }, doc! { "a": "x", "b": "y" }));
        assert!(!same(doc! { "a": 1, "b": 2 }, doc! { "b": 2, "a": 1 }));
        let binary = |subtype| Binary { subtype, bytes: vec![1, 2, 3] };
        assert!(same(binary(BinarySubtype::Generic), binary(BinarySubtype::Generic)));
        assert!(!same(binary(BinarySubtype::Generic), binary(BinarySubtype::UserDefined(0x80))));
        assert!(!same(DateTime::from_millis(1), DateTime::from_millis(2)) && !same(true, false));
    }

    #[test]
    fn raw_values_have_the_same_keys() {
        let document = doc! {
            "a": 1, "b": 2_i64, "c": 3.0, "d": 3.5, "e": "text", "f": doc! { "x": [1, 2.0] }, "g": true,
            "h": DateTime::from_millis(7), "i": Bson::Null,
        };
        let raw = crate::codec::encode(&document).unwrap();
        let raw = RawDocument::from_bytes(raw.as_bytes()).unwrap();
        for (name, value) in &document {
            assert_eq!(Key::of_raw(raw.get(name).unwrap().unwrap()), Some(Key::of(value)), "{name}");
        }
    }
}
