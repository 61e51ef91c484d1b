//! Compares indexes and documents of options by structure. Ignores the numeric type that the server gives back. Pure.

use mongodb::bson::{Bson, Document};

use super::Index;

/// Returns whether two values are the same. `1`, `1_i64` and `1.0` are the same; documents with the keys in another
/// order are the same.
pub(crate) fn same(left: &Bson, right: &Bson) -> bool {
    match (left, right) {
        (Bson::Document(left), Bson::Document(right)) => same_document(left, right),
        (Bson::Array(left), Bson::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(left, right))
        }
        _ => match (number(left), number(right)) {
            (Some(left), Some(right)) => left == right,
            _ => left == right,
        },
    }
}

/// Returns whether two documents are the same, in any order of the keys.
pub(crate) fn same_document(left: &Document, right: &Document) -> bool {
    left.len() == right.len() && left.iter().all(|(key, value)| right.get(key).is_some_and(|other| same(value, other)))
}

/// A number of any numeric type of the server except `decimal`.
#[derive(PartialEq)]
enum Number {
    Whole(i64),
    Fraction(u64),
}

fn number(value: &Bson) -> Option<Number> {
    match value {
        Bson::Int32(number) => Some(Number::Whole(i64::from(*number))),
        Bson::Int64(number) => Some(Number::Whole(*number)),
        Bson::Double(number) => {
            let whole = *number as i64;
            let exact = whole as f64 == *number && whole != i64::MAX;
            Some(if exact { Number::Whole(whole) } else { Number::Fraction(number.to_bits()) })
        }
        _ => None,
    }
}

/// Returns whether two indexes have the same keys in the same order. The server takes any positive number for
/// ascending.
pub(crate) fn same_keys(left: &Document, right: &Document) -> bool {
    left.len() == right.len() && begins_with(left, right)
}

/// Returns whether an index on `keys` serves every read of an index on `others`. Old shells write directions as
/// fractions.
pub(crate) fn begins_with(keys: &Document, others: &Document) -> bool {
    keys.len() >= others.len()
        && keys.iter().zip(others).all(|((name, value), (other_name, other))| {
            name == other_name
                && match (ascending(value), ascending(other)) {
                    (Some(left), Some(right)) => left == right,
                    _ => value == other,
                }
        })
}

fn ascending(direction: &Bson) -> Option<bool> {
    match direction {
        Bson::Int32(number) => Some(*number > 0),
        Bson::Int64(number) => Some(*number > 0),
        Bson::Double(number) => Some(*number > 0.0),
        _ => None,
    }
}

/// Returns whether the server takes two indexes for the same index. A collection may have several indexes with the same
/// keys when any of these options differs (seen on 6.0).
pub(crate) fn same_signature(left: &Index, right: &Index) -> bool {
    same_contents(left, right) && left.unique == right.unique
}

/// Returns whether two indexes hold the same keys of the same documents.
pub(crate) fn same_contents(left: &Index, right: &Index) -> bool {
    same_keys(&left.keys, &right.keys)
        && left.sparse == right.sparse
        && same_option(left.partial.as_ref(), right.partial.as_ref())
        && same_option(left.collation.as_ref(), right.collation.as_ref())
        && same_document(&left.settings, &right.settings)
}

/// Returns whether two indexes are the same in everything except the name.
pub(crate) fn same_index(left: &Index, right: &Index) -> bool {
    same_signature(left, right)
        && left.expire_after_seconds == right.expire_after_seconds
        && left.hidden == right.hidden
}

fn same_option(left: Option<&Document>, right: Option<&Document>) -> bool {
    match (left, right) {
        (Some(left), Some(right)) => same_document(left, right),
        (left, right) => left.is_none() && right.is_none(),
    }
}
