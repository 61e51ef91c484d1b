//! The mistakes of single values.

use std::borrow::Cow;

use super::tree::{JsonTree, LEVELS};
use crate::error::{JsonError, JsonErrorKind};

/// Returns the mistake of a value of another JSON type.
pub(super) fn mistype(expected: impl Into<Cow<'static, str>>, found: &JsonTree) -> JsonError {
    match found {
        JsonTree::TooDeep => JsonError::new(JsonErrorKind::TooDeep { most: LEVELS }),
        found => JsonError::new(JsonErrorKind::WrongType { found: found.type_name(), expected: expected.into() }),
    }
}

/// Returns the mistake of a value of the expected JSON type in another form.
pub(super) fn misform(expected: impl Into<Cow<'static, str>>) -> JsonError {
    JsonError::new(JsonErrorKind::WrongForm { expected: expected.into() })
}

/// Returns the mistake of a number out of range.
pub(super) fn out_of_range(expected: impl Into<Cow<'static, str>>) -> JsonError {
    JsonError::new(JsonErrorKind::OutOfRange { expected: expected.into() })
}

/// Returns the mistake of a name that an object has twice.
pub(super) fn doubled() -> JsonError {
    JsonError::new(JsonErrorKind::DuplicateField)
}
