//! Keys of maps and paths inside of raw values. A key or a path is data, and never becomes an operator, a position of
//! an array filter or a path of another value.

use super::PathNode;
use crate::{
    definition::Kind,
    error::{Error, Result},
};

/// The most names of a path: the levels of a document. Source: MongoDB, "MongoDB limits and thresholds", "nested
/// depth".
const MAX_NAMES: usize = 100;

/// Refuses a key that is no single name of a path.
pub(super) fn check_key(map: &PathNode<'_>, key: &str) -> Result<()> {
    match fault(key) {
        Some(fault) => Err(unfit(map, fault)),
        None if key.contains('.') => Err(unfit(map, "the key has a dot, and the server would read a path")),
        None => Ok(()),
    }
}

/// Refuses a path with a part that is no name.
pub(super) fn check_path(value: &PathNode<'_>, path: &str) -> Result<()> {
    if path.split('.').count() > MAX_NAMES {
        return Err(unfit(value, "the path has more than 100 names, and a document has at most 100 levels"));
    }
    path.split('.').find_map(fault).map_or(Ok(()), |fault| Err(unfit(value, fault)))
}

/// Refuses a position of elements in which the server could also find a field with this name.
pub(super) fn check_index(element: &PathNode<'_>, index: &str) -> Result<()> {
    let is_ambiguous = element.shape().is_some_and(|shape| match shape.kind {
        Kind::Map { .. } | Kind::Opaque { .. } => true,
        Kind::Document { fields, .. } => fields.iter().any(|field| field.name == index),
        _ => false,
    });
    match is_ambiguous {
        true => Err(unfit(element, "an element may have a field with the name of the position")),
        false => Ok(()),
    }
}

/// Returns the reason why the text is no name in a path; `None` for a name.
fn fault(name: &str) -> Option<&'static str> {
    match name {
        "" => Some("a name of the path is empty"),
        name if name.contains('\0') => Some("a name of the path has a NUL"),
        name if name.contains('$') => Some("a name of the path has a `$`, and the server would read an operator"),
        _ => None,
    }
}

/// Returns the error of a key or a path. The text is data of a user, and stands in no error.
pub(super) fn unfit(place: &PathNode<'_>, reason: &'static str) -> Error {
    Error::Encode { field: place.join(), message: Error::message_of_form(reason) }
}
