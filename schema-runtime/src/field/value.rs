//! What may be compared with a field of type `T`.

use std::borrow::Cow;

use mongodb::bson::Bson;
use serde::Serialize;

use crate::{
    codec,
    error::{Error, Result},
};

/// A value that a field of type `T` may be compared with or set to.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no value for a field of type `{T}`",
    label = "the field, or an element of it, has the type `{T}`",
    note = "a value is of the field's own type or a reference to it; for a `String` also a `&str`, for an `Option<T>` also a `T`",
    note = "a `Ref` is compared with a reference to its model, or with `Ref::new(id)`"
)]
pub trait IntoValue<T> {
    /// The value as BSON; an error when serde cannot write it, as a `u64` above `i64::MAX`.
    fn into_value(self) -> Result<Bson>;
}

#[diagnostic::do_not_recommend]
impl<T: Serialize> IntoValue<T> for T {
    fn into_value(self) -> Result<Bson> {
        codec::encode_value(&self).map_err(Error::encode)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Serialize> IntoValue<T> for &T {
    fn into_value(self) -> Result<Bson> {
        codec::encode_value(self).map_err(Error::encode)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Serialize> IntoValue<Option<T>> for T {
    fn into_value(self) -> Result<Bson> {
        codec::encode_value(&self).map_err(Error::encode)
    }
}

#[diagnostic::do_not_recommend]
impl IntoValue<String> for &str {
    fn into_value(self) -> Result<Bson> {
        Ok(Bson::String(self.to_owned()))
    }
}

/// An element of a `&[&str]`.
#[diagnostic::do_not_recommend]
impl IntoValue<String> for &&str {
    fn into_value(self) -> Result<Bson> {
        Ok(Bson::String((*self).to_owned()))
    }
}

#[diagnostic::do_not_recommend]
impl IntoValue<String> for Cow<'_, str> {
    fn into_value(self) -> Result<Bson> {
        Ok(Bson::String(self.into_owned()))
    }
}

#[diagnostic::do_not_recommend]
impl<T: Serialize> IntoValue<Option<T>> for &T {
    fn into_value(self) -> Result<Bson> {
        codec::encode_value(self).map_err(Error::encode)
    }
}

#[diagnostic::do_not_recommend]
impl IntoValue<Option<String>> for &str {
    fn into_value(self) -> Result<Bson> {
        Ok(Bson::String(self.to_owned()))
    }
}
