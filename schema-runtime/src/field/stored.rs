//! Stored types: the trait of a type that may be a field, and the trait of a struct of fields.

use std::{
    collections::{BTreeMap, HashMap},
    hash::BuildHasher,
};

use mongodb::bson::{Bson, Document};
use serde::Serialize;

use super::{NestedTokens, Path, canonical};
use crate::{
    codec,
    definition::{CopyDefinition, ExtraFields, FieldDefinition, Shape, Variants},
    error::{Error, Result},
};

/// A type that may be a field of a model: the stored shape is known.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a stored field: the stored form and the largest size are unknown",
    label = "this type does not derive `Embed`, or holds a type without `Embed`",
    note = "help: write `#[derive(Embed)]` on a struct, a unit enum or a newtype of yours; write `#[stored_as(String)]` on a field with a type of another crate, with the type that serde writes; or, for an array or a document, `#[opaque(max_bytes = N)]`",
    note = "a document holds at most 16 MiB, so that every field needs a bound (rule: unbounded_embedded_array)"
)]
pub trait Field: Sized + 'static {
    /// The stored shape of the values.
    const SHAPE: Shape;

    /// The operators that fit a field of this type: a class of [`class`](crate::field::class).
    type Class;

    /// The tokens of the fields inside of a value of this type at `P`. The fields belong to the model `M`, and `K` is
    /// the right to change the fields. An embedded struct and the structs of a list have such fields; any other type
    /// has [`NoFields`](super::NoFields).
    type Nested<M: 'static, P: Path, K: 'static>: NestedTokens;

    /// Converts the value to BSON.
    ///
    /// # Errors
    /// An error when serde cannot write the value, as a `u64` above `i64::MAX`.
    fn to_bson(&self) -> Result<Bson>
    where
        Self: Serialize,
    {
        encode(&Self::SHAPE, self)
    }
}

/// [`Field`] as derives implement the trait: an error about another type does not list the types of users.
#[doc(hidden)]
pub trait Described: Sized + 'static {
    const SHAPE: Shape;
    type Class;
    type Nested<M: 'static, P: Path, K: 'static>: NestedTokens;

    fn to_bson(&self) -> Result<Bson>
    where
        Self: Serialize,
    {
        encode(&Self::SHAPE, self)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Described> Field for T {
    const SHAPE: Shape = T::SHAPE;
    type Class = T::Class;
    type Nested<M: 'static, P: Path, K: 'static> = T::Nested<M, P, K>;

    fn to_bson(&self) -> Result<Bson>
    where
        Self: Serialize,
    {
        Described::to_bson(self)
    }
}

fn encode(shape: &Shape, value: &impl Serialize) -> Result<Bson> {
    canonical(Some(shape), codec::encode_value(value).map_err(Error::encode)?).map_err(|misfit| misfit.at(""))
}

/// A struct whose stored fields are known: a model or an embedded struct.
pub trait Record {
    /// The name of the struct, for messages.
    const STRUCT: &'static str;
    /// The stored fields, in the order of the struct.
    const FIELDS: &'static [FieldDefinition];
    /// The fields that are copies.
    const COPIES: &'static [CopyDefinition] = &[];
    /// The variants of an enum that holds data; `None` for a struct.
    const TAGGED: Option<&'static Variants> = None;
    /// The effect of stored fields that the struct does not have.
    const EXTRA: ExtraFields = ExtraFields::Drop;

    /// Returns the unknown fields that the value keeps.
    #[doc(hidden)]
    fn extra(&self) -> Document {
        Document::new()
    }

    /// Puts the unknown fields of a stored document into the value.
    #[doc(hidden)]
    fn set_extra(&mut self, _: Document) {}
}

/// A type that keeps unknown fields: the type of a field with `#[extra]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot keep the unknown fields of a document",
    label = "this field has `#[extra]`",
    note = "help: write `bson::Document`, `BTreeMap<String, Bson>` or `HashMap<String, Bson>`"
)]
pub trait ExtraHolder {
    /// Returns the fields.
    fn to_document(&self) -> Document;
    /// Makes the value of the fields.
    fn of_document(fields: Document) -> Self;
}

impl ExtraHolder for Document {
    fn to_document(&self) -> Document {
        self.clone()
    }

    fn of_document(fields: Document) -> Self {
        fields
    }
}

impl ExtraHolder for BTreeMap<String, Bson> {
    fn to_document(&self) -> Document {
        self.clone().into_iter().collect()
    }

    fn of_document(fields: Document) -> Self {
        fields.into_iter().collect()
    }
}

/// The fields are stored in the order of their names.
impl<S: BuildHasher + Default> ExtraHolder for HashMap<String, Bson, S> {
    fn to_document(&self) -> Document {
        let sorted: BTreeMap<&String, &Bson> = self.iter().collect();
        sorted.into_iter().map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    fn of_document(fields: Document) -> Self {
        fields.into_iter().collect()
    }
}
