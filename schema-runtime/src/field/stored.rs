//! What is stored: the trait of a type that may be a field, and the trait of a struct of fields.

use mongodb::bson::Bson;
use serde::Serialize;

use super::{New, Path};
use crate::{
    codec,
    definition::{CopyDefinition, FieldDefinition, Shape},
    error::{Error, Result},
};

/// A type that may be a field of a model: its stored shape is known.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not known to have a bound",
    label = "nothing is known of what this stores",
    note = "for a struct, a unit enum or a newtype of yours, also as an element of a list: `#[derive(Embed)]` on it",
    note = "for a type of another crate: `#[opaque(max_bytes = N)]` on the field",
    note = "a document holds at most 16 MiB, and nothing in it may grow without bound (rule `unbounded_embedded_array`)"
)]
pub trait Field: Sized {
    /// How values are stored.
    const SHAPE: Shape;

    /// What may be asked of a field of this type: one of [`class`](crate::field::class).
    type Class;

    /// The token of a field of the type `T` at `P` whose values, at `E`, are of this type: `T` is this type, or a list of it.
    /// The fields of an embedded struct are fields of this token.
    type Nested<M, T, P: Path, E: Path>: New;

    /// The value as BSON.
    ///
    /// # Errors
    /// When serde cannot write it, as a `u64` above `i64::MAX`.
    fn to_bson(&self) -> Result<Bson>
    where
        Self: Serialize,
    {
        codec::encode_value(self).map_err(Error::encode)
    }
}

/// A struct whose stored fields are known: a model or an embedded struct.
pub trait Record {
    /// The struct's own name, for messages.
    const STRUCT: &'static str;
    /// The stored fields, in the order of the struct.
    const FIELDS: &'static [FieldDefinition];
    /// The fields that are copies.
    const COPIES: &'static [CopyDefinition] = &[];
}
