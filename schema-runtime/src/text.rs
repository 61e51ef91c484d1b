//! The text of a stored value that is one scalar, and the value of a text: ids in paths and in JSON. A text has a
//! single form for each value, except for the case of hexadecimal letters. Pure.

use std::borrow::Cow;

use mongodb::bson::{Bson, Decimal128, Uuid, oid::ObjectId, spec::BinarySubtype};

use crate::definition::{Integer, Kind, Scalar, Shape};

/// The form of the text of an ObjectId.
pub(crate) const OBJECT_ID: &str = "an ObjectId of 24 hexadecimal digits";
/// The form of the text of a UUID.
pub(crate) const UUID: &str = "a UUID of 32 hexadecimal digits with hyphens";
/// The form of the text of a decimal number.
pub(crate) const DECIMAL: &str = "a decimal number of at most 34 digits";

/// The number of characters of a UUID with hyphens.
const UUID_LEN: usize = 36;

/// Returns the text of a value; `None` for a value that is no scalar with a text.
pub(crate) fn text_of(value: &Bson) -> Option<Cow<'_, str>> {
    Some(match value {
        Bson::String(text) => Cow::Borrowed(text),
        Bson::ObjectId(id) => Cow::Owned(id.to_hex()),
        Bson::Int32(number) => Cow::Owned(number.to_string()),
        Bson::Int64(number) => Cow::Owned(number.to_string()),
        Bson::Double(number) => Cow::Owned(number.to_string()),
        Bson::Decimal128(number) => Cow::Owned(number.to_string()),
        Bson::Binary(binary) if binary.subtype == BinarySubtype::Uuid => Cow::Owned(binary.to_uuid().ok()?.to_string()),
        _ => return None,
    })
}

/// Returns the value of a text for a field of this shape; `None` for a text in another form.
pub(crate) fn value_of(shape: &Shape, text: &str) -> Option<Bson> {
    match shape.kind {
        Kind::String { .. } => Some(Bson::String(text.to_owned())),
        Kind::Enum(names) => names.contains(&text).then(|| Bson::String(text.to_owned())),
        Kind::Scalar(Scalar::ObjectId) => object_id(text),
        Kind::Scalar(Scalar::Uuid) => uuid(text),
        Kind::Scalar(Scalar::Integer) => whole_number(text).and_then(|number| integer(shape.integer, number)),
        Kind::Scalar(Scalar::Double | Scalar::Single) => text.parse().ok().map(Bson::Double),
        Kind::Scalar(Scalar::Decimal128) => decimal(text),
        _ => None,
    }
}

/// Describes the form of the text of a value of this shape.
pub(crate) fn form_of(shape: &Shape) -> Cow<'static, str> {
    match shape.kind {
        Kind::String { .. } => "text".into(),
        Kind::Enum(names) => names_form(names).into(),
        Kind::Scalar(Scalar::ObjectId) => OBJECT_ID.into(),
        Kind::Scalar(Scalar::Uuid) => UUID.into(),
        Kind::Scalar(Scalar::Integer) => integer_form(shape.integer).into(),
        Kind::Scalar(Scalar::Double | Scalar::Single) => "a number".into(),
        Kind::Scalar(Scalar::Decimal128) => DECIMAL.into(),
        _ => "a value with a text".into(),
    }
}

/// Reads an ObjectId.
pub(crate) fn object_id(text: &str) -> Option<Bson> {
    ObjectId::parse_str(text).ok().map(Bson::ObjectId)
}

/// Reads a UUID with hyphens.
pub(crate) fn uuid(text: &str) -> Option<Bson> {
    let has_hyphens = text.len() == UUID_LEN;
    has_hyphens.then(|| Uuid::parse_str(text).ok().map(|uuid| Bson::Binary(uuid.into()))).flatten()
}

/// Reads a decimal number that a `Decimal128` holds exactly.
pub(crate) fn decimal(text: &str) -> Option<Bson> {
    text.parse::<Decimal128>().ok().map(Bson::Decimal128)
}

/// Reads a whole number without a plus sign and without leading zeros.
pub(crate) fn whole_number(text: &str) -> Option<i64> {
    text.parse::<i64>().ok().filter(|number| number.to_string() == text)
}

/// Returns a whole number as the stored value of an integer type; `None` for a number out of the range of the type.
pub(crate) fn integer(of: Option<Integer>, number: i64) -> Option<Bson> {
    let (least, greatest) = of.map_or((i64::MIN, i64::MAX), |of| (of.least, of.greatest));
    (least <= number && number <= greatest).then(|| match i32::try_from(number) {
        Ok(small) if greatest <= i64::from(i32::MAX) => Bson::Int32(small),
        _ => Bson::Int64(number),
    })
}

/// Describes the numbers of an integer type.
pub(crate) fn integer_form(of: Option<Integer>) -> String {
    let (least, greatest) = of.map_or((i64::MIN, i64::MAX), |of| (of.least, of.greatest));
    format!("a whole number from {least} to {greatest}")
}

/// Lists the names of an enum.
pub(crate) fn names_form(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    format!("one of {}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::Field;

    #[test]
    fn a_value_has_a_text_and_comes_back() {
        let id = ObjectId::from_bytes([0xab; 12]);
        let uuid = Uuid::from_bytes([0x5c; 16]);
        for (shape, value, text) in [
            (ObjectId::SHAPE, Bson::ObjectId(id), "abababababababababababab"),
            (Uuid::SHAPE, Bson::Binary(uuid.into()), "5c5c5c5c-5c5c-5c5c-5c5c-5c5c5c5c5c5c"),
            (String::SHAPE, Bson::String("a/b é".to_owned()), "a/b é"),
            (i32::SHAPE, Bson::Int32(-7), "-7"),
            (i64::SHAPE, Bson::Int64(i64::MIN), "-9223372036854775808"),
            (u32::SHAPE, Bson::Int64(4_294_967_295), "4294967295"),
            (f64::SHAPE, Bson::Double(1.5), "1.5"),
            (Decimal128::SHAPE, Bson::Decimal128("1.50".parse().unwrap()), "1.50"),
        ] {
            assert_eq!(text_of(&value).as_deref(), Some(text));
            assert_eq!(value_of(&shape, text), Some(value), "{text}");
        }
    }

    #[test]
    fn a_text_in_another_form_is_no_value() {
        for (shape, text) in [
            (ObjectId::SHAPE, ""),
            (ObjectId::SHAPE, "ababababababababababab"),
            (ObjectId::SHAPE, "zzababababababababababab"),
            (Uuid::SHAPE, "5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c"),
            (Uuid::SHAPE, "{c5c5c5c-5c5c-5c5c-5c5c-5c5c5c5c5c5c"),
            (i32::SHAPE, "2147483648"),
            (u32::SHAPE, "-1"),
            (i64::SHAPE, "+1"),
            (i64::SHAPE, "007"),
            (i64::SHAPE, "1.0"),
            (i64::SHAPE, "9223372036854775808"),
            (Decimal128::SHAPE, "1.2345678901234567890123456789012345678901"),
            (bool::SHAPE, "true"),
        ] {
            assert_eq!(value_of(&shape, text), None, "{text}");
        }
    }
}
