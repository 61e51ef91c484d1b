//! Encodes a number, a string or a truth value without a detour over bytes: the usual values of a filter or an update.

use std::fmt;

use mongodb::bson::Bson;
use serde::{Serialize, Serializer, ser};

/// Encodes a value that is a number, a string or a truth value; `None` for any other value.
pub(super) fn encode<T: Serialize + ?Sized>(value: &T) -> Option<Bson> {
    value.serialize(Scalar).ok()
}

struct Scalar;

/// The value is no scalar.
#[derive(Debug)]
struct Other;

impl fmt::Display for Other {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("no scalar")
    }
}

impl std::error::Error for Other {}

impl ser::Error for Other {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Other
    }
}

type Never = ser::Impossible<Bson, Other>;
type Encoded = Result<Bson, Other>;

impl Serializer for Scalar {
    type Ok = Bson;
    type Error = Other;
    type SerializeSeq = Never;
    type SerializeTuple = Never;
    type SerializeTupleStruct = Never;
    type SerializeTupleVariant = Never;
    type SerializeMap = Never;
    type SerializeStruct = Never;
    type SerializeStructVariant = Never;

    /// Returns false: a scalar has the form for documents, not the form for people.
    fn is_human_readable(&self) -> bool {
        false
    }

    fn serialize_bool(self, value: bool) -> Encoded {
        Ok(Bson::Boolean(value))
    }

    fn serialize_i32(self, value: i32) -> Encoded {
        Ok(Bson::Int32(value))
    }

    fn serialize_i64(self, value: i64) -> Encoded {
        Ok(Bson::Int64(value))
    }

    fn serialize_f64(self, value: f64) -> Encoded {
        Ok(Bson::Double(value))
    }

    fn serialize_str(self, value: &str) -> Encoded {
        Ok(Bson::String(value.to_owned()))
    }

    fn serialize_none(self) -> Encoded {
        Ok(Bson::Null)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Encoded {
        value.serialize(self)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Encoded {
        Ok(Bson::String(variant.to_owned()))
    }

    /// Refuses names that begin with a dollar sign: the bson crates give a meaning to some of the names.
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Encoded {
        if name.starts_with('$') { Err(Other) } else { value.serialize(self) }
    }

    fn serialize_i8(self, _: i8) -> Encoded {
        Err(Other)
    }

    fn serialize_i16(self, _: i16) -> Encoded {
        Err(Other)
    }

    fn serialize_u8(self, _: u8) -> Encoded {
        Err(Other)
    }

    fn serialize_u16(self, _: u16) -> Encoded {
        Err(Other)
    }

    fn serialize_u32(self, _: u32) -> Encoded {
        Err(Other)
    }

    fn serialize_u64(self, _: u64) -> Encoded {
        Err(Other)
    }

    fn serialize_f32(self, _: f32) -> Encoded {
        Err(Other)
    }

    fn serialize_char(self, _: char) -> Encoded {
        Err(Other)
    }

    fn serialize_bytes(self, _: &[u8]) -> Encoded {
        Err(Other)
    }

    fn serialize_unit(self) -> Encoded {
        Err(Other)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Encoded {
        Err(Other)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Encoded {
        Err(Other)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Never, Other> {
        Err(Other)
    }

    fn serialize_tuple(self, _: usize) -> Result<Never, Other> {
        Err(Other)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Never, Other> {
        Err(Other)
    }

    fn serialize_tuple_variant(self, _: &'static str, _: u32, _: &'static str, _: usize) -> Result<Never, Other> {
        Err(Other)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Never, Other> {
        Err(Other)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Never, Other> {
        Err(Other)
    }

    fn serialize_struct_variant(self, _: &'static str, _: u32, _: &'static str, _: usize) -> Result<Never, Other> {
        Err(Other)
    }
}
