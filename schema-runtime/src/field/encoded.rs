//! Values of a field that serde writes or reads by a function of the user (`with`, `serialize_with`,
//! `deserialize_with`): a value outside of a document has the same form as inside of the document.

use std::marker::PhantomData;

use mongodb::bson::Bson;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{IntoValue, Record};
use crate::{
    codec,
    error::{Error, Result},
};

/// A struct whose field number `INDEX` serde writes by a function.
pub trait Encodes<const INDEX: usize>: Record {
    /// The type of the field.
    type Value;

    /// Writes the value as serde writes the field.
    ///
    /// # Errors
    /// The errors of the function.
    fn encode<S: Serializer>(value: &Self::Value, serializer: S) -> std::result::Result<S::Ok, S::Error>;
}

/// A struct whose field number `INDEX` serde reads by a function.
pub trait Decodes<const INDEX: usize>: Record {
    /// The type of the field.
    type Value;

    /// Reads the value as serde reads the field.
    ///
    /// # Errors
    /// The errors of the function.
    fn decode<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self::Value, D::Error>;
}

/// In a token, the type `T` of field number `INDEX` of the struct `R`, which writes the field by a function. A value of
/// the field is a `T` or a `&T`; for an `Option`, also the inner value.
pub struct Encoded<T, R, const INDEX: usize>(PhantomData<fn() -> (T, R)>);

/// A value in the form that serde writes for the field.
struct Written<'a, R: Encodes<INDEX>, const INDEX: usize>(&'a R::Value);

impl<R: Encodes<INDEX>, const INDEX: usize> Serialize for Written<'_, R, INDEX> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        R::encode(self.0, serializer)
    }
}

/// A value in the form that serde reads for the field.
struct Readable<R: Decodes<INDEX>, const INDEX: usize>(R::Value);

impl<'de, R: Decodes<INDEX>, const INDEX: usize> Deserialize<'de> for Readable<R, INDEX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        R::decode(deserializer).map(Readable)
    }
}

/// Decodes a value of field number `INDEX` as serde reads the field, or returns the message of the failure.
pub(crate) fn decode_by_function<R: Decodes<INDEX>, const INDEX: usize>(
    value: &Bson,
) -> std::result::Result<R::Value, String> {
    codec::decode_value::<Readable<R, INDEX>>(value).map(|readable| readable.0)
}

fn encode<R: Encodes<INDEX>, const INDEX: usize>(value: &R::Value) -> Result<Bson> {
    codec::encode_value(&Written::<R, INDEX>(value)).map_err(Error::encode)
}

#[diagnostic::do_not_recommend]
impl<T, R: Encodes<INDEX, Value = T>, const INDEX: usize> IntoValue<Encoded<T, R, INDEX>> for T {
    fn into_value(self) -> Result<Bson> {
        encode::<R, INDEX>(&self)
    }
}

#[diagnostic::do_not_recommend]
impl<T, R: Encodes<INDEX, Value = T>, const INDEX: usize> IntoValue<Encoded<T, R, INDEX>> for &T {
    fn into_value(self) -> Result<Bson> {
        encode::<R, INDEX>(self)
    }
}

#[diagnostic::do_not_recommend]
impl<T, R: Encodes<INDEX, Value = Option<T>>, const INDEX: usize> IntoValue<Encoded<Option<T>, R, INDEX>> for T {
    fn into_value(self) -> Result<Bson> {
        encode::<R, INDEX>(&Some(self))
    }
}
