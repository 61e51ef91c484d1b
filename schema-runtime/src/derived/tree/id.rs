//! `_id`s in a materialized path. Pure.

use mongodb::bson::{Binary, Bson, Uuid, oid::ObjectId, spec::BinarySubtype};

use crate::definition::{Kind, Scalar, Shape};

/// The character after each `_id` of a path.
pub(super) const SEPARATOR: char = ':';

/// The character after the separator in the order of characters. Any path that begins with a given path is less than
/// the given path with this character in place of the last separator.
pub(super) const BEHIND_SEPARATOR: char = ';';

/// The mask that inverts the sign bit, so that the digits have the order of the numbers.
const SIGN: u64 = 1 << 63;

/// Returns an `_id` as text in a path; `None` for an `_id` that a path cannot contain.
pub(crate) fn text_of(id: &Bson) -> Option<String> {
    match id {
        Bson::ObjectId(id) => Some(id.to_hex()),
        Bson::Binary(binary) if binary.subtype == BinarySubtype::Uuid => {
            Some(binary.to_uuid().ok()?.bytes().iter().map(|byte| format!("{byte:02x}")).collect())
        }
        Bson::Int32(id) => Some(digits(i64::from(*id))),
        Bson::Int64(id) => Some(digits(*id)),
        Bson::String(id) if !id.is_empty() && !id.contains(SEPARATOR) => Some(id.clone()),
        _ => None,
    }
}

fn digits(id: i64) -> String {
    format!("{:016x}", id.cast_unsigned() ^ SIGN)
}

/// Returns the `_id`s of the given type in a path; null for invalid text.
pub(crate) fn ids_in(path: &str, shape: &Shape) -> Vec<Bson> {
    path.split_terminator(SEPARATOR).map(|text| id_of(text, shape).unwrap_or(Bson::Null)).collect()
}

fn id_of(text: &str, shape: &Shape) -> Option<Bson> {
    match shape.kind {
        Kind::Scalar(Scalar::ObjectId) => ObjectId::parse_str(text).ok().map(Bson::ObjectId),
        Kind::Scalar(Scalar::Uuid) => Uuid::parse_str(text).ok().map(|uuid| Bson::Binary(Binary::from_uuid(uuid))),
        Kind::Scalar(Scalar::Integer) => {
            u64::from_str_radix(text, 16).ok().map(|digits| Bson::Int64((digits ^ SIGN).cast_signed()))
        }
        Kind::String { .. } => Some(Bson::String(text.to_owned())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn back(id: &Bson, shape: &Shape) -> Bson {
        let text = text_of(id).map(|text| format!("{text}{SEPARATOR}")).unwrap_or_default();
        ids_in(&text, shape).pop().unwrap_or(Bson::Null)
    }

    proptest! {
        #[test]
        fn an_id_comes_back(number: i64, bytes: [u8; 16], hex in "[0-9a-f]{24}", text in "[^:]{1,20}") {
            let scalar = |scalar| Shape::new(Kind::Scalar(scalar));
            prop_assert_eq!(back(&Bson::Int64(number), &scalar(Scalar::Integer)), Bson::Int64(number));
            let uuid = Bson::Binary(Binary::from_uuid(Uuid::from_bytes(bytes)));
            prop_assert_eq!(back(&uuid, &scalar(Scalar::Uuid)), uuid);
            let id = Bson::ObjectId(ObjectId::parse_str(hex).unwrap());
            prop_assert_eq!(back(&id, &scalar(Scalar::ObjectId)), id);
            let string = Shape::new(Kind::String { max_len: None });
            prop_assert_eq!(back(&Bson::String(text.clone()), &string), Bson::String(text));
        }

        #[test]
        fn numbers_are_in_their_order(one: i64, other: i64) {
            prop_assert_eq!(one.cmp(&other), digits(one).cmp(&digits(other)));
        }
    }

    #[test]
    fn what_cannot_be_in_a_path() {
        for id in [Bson::String("a:b".to_owned()), Bson::String(String::new()), Bson::Null, Bson::Double(1.0)] {
            assert_eq!(text_of(&id), None, "{id}");
        }
        assert_eq!(text_of(&Bson::Int32(-1)), Some("7fffffffffffffff".to_owned()));
    }
}
