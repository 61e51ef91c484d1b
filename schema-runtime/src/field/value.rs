//! The values that a field of type `T` may be compared with or set to.

use std::{borrow::Cow, collections::VecDeque};

use mongodb::bson::Bson;
use serde::Serialize;

use super::class::AnyValue;
use crate::{
    codec,
    error::{Error, Result},
};

/// A value that a field of type `T` may be compared with or set to.
///
/// | field | takes |
/// |---|---|
/// | any `T` | a `T`, a `&T` |
/// | `String` | also a `&str`, a `Cow<str>` |
/// | a `T` that serde writes by a function (`with`) | a `T`, a `&T`, for an `Option` also the inner value: written by the function |
/// | `TreePath` | also a `&str`, a `String`: the text of a path, or the beginning of a path as the end of a range |
/// | `Option<T>` | also the values that a `T` takes |
/// | `Ref<T>` | also a document, `&T`; an extended reference, by reference; an `_id`, by value or reference, that is an `ObjectId`, a `Uuid`, a `String` or an integer; a `&str` for a `String` |
/// | a path inside of a raw value, [`AnyValue`](crate::field::class::AnyValue) | every value that serde writes |
/// | a list: `Vec`, `VecDeque`, `Box<[T]>`, an `Option` of a list | also an array or a slice of the values that an element takes |
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a value for a field of type `{T}`",
    label = "the field, or an element of the field, has the type `{T}`",
    note = "a value has the field's own type or is a reference to that type; a `String` takes a `&str`, an `Option<T>` takes the values of a `T`, a list takes a slice or an array of elements",
    note = "an `Encoded<T, ..>` (serde writes the value by a function, `with`) takes a `T` or a `&T`",
    note = "a `Ref<T>` takes a `&T` or the `_id` of a `T`; where the `_id` has a type of your own write `Ref::new(id)`",
    note = "an `Option` of a reference is written as an `Option` of a value: `.cloned()`, for an `Option<&str>` `.map(str::to_owned)`"
)]
pub trait IntoValue<T> {
    /// Converts the value to BSON; an error when serde cannot write the value, as a `u64` above `i64::MAX`.
    fn into_value(self) -> Result<Bson>;
}

fn encode<T: Serialize>(value: &T) -> Result<Bson> {
    codec::encode_value(value).map_err(Error::encode)
}

#[diagnostic::do_not_recommend]
impl<T: Serialize> IntoValue<T> for T {
    fn into_value(self) -> Result<Bson> {
        encode(&self)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Serialize> IntoValue<T> for &T {
    fn into_value(self) -> Result<Bson> {
        encode(self)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Serialize> IntoValue<Option<T>> for T {
    fn into_value(self) -> Result<Bson> {
        encode(&self)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Serialize> IntoValue<Option<T>> for &T {
    fn into_value(self) -> Result<Bson> {
        encode(self)
    }
}

/// A place without a known type takes every value that serde writes, in the form of the value in a document.
#[diagnostic::do_not_recommend]
impl<V: Serialize> IntoValue<AnyValue> for V {
    fn into_value(self) -> Result<Bson> {
        encode(&self)
    }
}

/// A `String` and an `Option<String>` take a text in every form. A `&&str` is an element of a `&[&str]`.
macro_rules! text {
    ($($field:ty: $($text:ty),*;)*) => {$($(
        #[diagnostic::do_not_recommend]
        impl IntoValue<$field> for $text {
            fn into_value(self) -> Result<Bson> {
                Ok(Bson::String(String::from(self)))
            }
        }
    )*)*};
}

text! {
    String: &str, Cow<'_, str>;
    Option<String>: &str, Cow<'_, str>;
}

#[diagnostic::do_not_recommend]
impl IntoValue<String> for &&str {
    fn into_value(self) -> Result<Bson> {
        Ok(Bson::String((*self).to_owned()))
    }
}

#[diagnostic::do_not_recommend]
impl IntoValue<Option<String>> for &&str {
    fn into_value(self) -> Result<Bson> {
        Ok(Bson::String((*self).to_owned()))
    }
}

fn encode_each<T, V: IntoValue<T>>(elements: impl IntoIterator<Item = V>) -> Result<Bson> {
    elements.into_iter().map(IntoValue::into_value).collect::<Result<Vec<Bson>>>().map(Bson::Array)
}

/// A list takes an array or a slice of the values that an element takes. An `Option<Vec<T>>` has separate impls: an
/// impl for an `Option` of any type would overlap with the impls above.
macro_rules! list {
    ($($field:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<'v, T, V> IntoValue<$field> for &'v [V]
        where
            &'v V: IntoValue<T>,
        {
            fn into_value(self) -> Result<Bson> {
                encode_each(self)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<'v, T, V, const N: usize> IntoValue<$field> for &'v [V; N]
        where
            &'v V: IntoValue<T>,
        {
            fn into_value(self) -> Result<Bson> {
                encode_each(self)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<T, V: IntoValue<T>, const N: usize> IntoValue<$field> for [V; N] {
            fn into_value(self) -> Result<Bson> {
                encode_each(self)
            }
        }
    )*};
}

list!(Vec<T>, VecDeque<T>, Box<[T]>, Option<Vec<T>>, Option<VecDeque<T>>, Option<Box<[T]>>);
