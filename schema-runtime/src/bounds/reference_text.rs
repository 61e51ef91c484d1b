//! A reference as a text, for paths and queries of an HTTP service: the text of the `_id`.

use std::{
    borrow::Cow,
    fmt::{self, Display},
    str::FromStr,
};

use super::Ref;
use crate::{
    codec,
    field::{Field, class::HasText, readable},
    model::Model,
    text,
};

/// The error of a text that names no document of a model. The error does not hold the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseRefError {
    /// The model of the reference.
    pub model: &'static str,
    /// The form of the text of an `_id`: `an ObjectId of 24 hexadecimal digits`.
    pub expected: Cow<'static, str>,
}

impl Display for ParseRefError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the text is no `_id` of `{}`, expected {}", self.model, self.expected)
    }
}

impl std::error::Error for ParseRefError {}

/// Writes the `_id`: an `ObjectId` as 24 hexadecimal digits, a `Uuid` with hyphens, a number in digits, a `String`
/// unchanged. An `_id` that cannot be stored, as a `u64` above `i64::MAX`, has the text `?`.
impl<T: Model> Display for Ref<T>
where
    <T::Id as Field>::Class: HasText,
{
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = self.id().to_bson().ok();
        formatter.pad(&id.as_ref().and_then(text::text_of).unwrap_or(Cow::Borrowed("?")))
    }
}

/// Reads the text of an `_id`, in the form that [`Display`] writes.
///
/// # Errors
/// [`ParseRefError`] for a text in another form.
impl<T: Model> FromStr for Ref<T>
where
    <T::Id as Field>::Class: HasText,
{
    type Err = ParseRefError;

    fn from_str(text: &str) -> Result<Self, ParseRefError> {
        let shape = <T::Id as Field>::SHAPE;
        let stored = text::value_of(&shape, text).and_then(|value| readable(Some(&shape), value).ok());
        let id = stored.and_then(|readable| codec::decode_value::<T::Id>(&readable).ok());
        id.map(Ref::of).ok_or_else(|| ParseRefError { model: T::STRUCT, expected: text::form_of(&shape) })
    }
}
