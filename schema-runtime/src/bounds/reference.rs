//! Typed references, stored as the bare `_id` of the target.

use std::{collections::VecDeque, fmt, marker::PhantomData};

use derive_where::derive_where;
use mongodb::bson::{Bson, Uuid, oid::ObjectId};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::BoundedVec;
use crate::{
    definition::Shape,
    error::Result,
    field::{Field, IntoValue, NoFields, Path, stored::Described},
    model::{Model, OwnDocument},
};

/// A reference to a `T`, stored as the bare `_id` of the `T`.
#[derive_where(Clone)]
#[derive_where(Copy, Eq, Hash, Ord, PartialEq, PartialOrd; T::Id)]
pub struct Ref<T: Model> {
    id: T::Id,
    // The last field, so that a struct with a `Ref` has a known size even where `T` is no model: rustc then reports the
    // error once.
    model: PhantomData<fn() -> T>,
}

impl<T: Model> Ref<T> {
    /// A reference to the document `target`.
    pub fn to(target: &T) -> Self {
        Ref::of(target.id().clone())
    }

    /// Returns the `_id`.
    pub fn id(&self) -> &T::Id {
        &self.id
    }

    /// Returns the `_id`, owned.
    pub fn into_id(self) -> T::Id {
        self.id
    }

    pub(super) fn of(id: T::Id) -> Self {
        Ref { id, model: PhantomData }
    }
}

impl<T: Model> From<&T> for Ref<T> {
    fn from(target: &T) -> Self {
        Ref::to(target)
    }
}

impl<T: Model> fmt::Debug for Ref<T>
where
    T::Id: fmt::Debug,
{
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Ref").field(&self.id).finish()
    }
}

impl<T: Model> Serialize for Ref<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.id.serialize(serializer)
    }
}

impl<'de, T: Model> Deserialize<'de> for Ref<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::Id::deserialize(deserializer).map(Ref::of)
    }
}

impl<T: Model> Described for Ref<T> {
    const SHAPE: Shape = <T::Id as Field>::SHAPE.of_reference(T::UNREFERABLE);
    type Class = <T::Id as Field>::Class;
    type Nested<M: 'static, P: Path, K: 'static> = NoFields;

    fn to_bson(&self) -> Result<Bson> {
        self.id.to_bson()
    }
}

/// A type that holds at most one reference: a [`Ref`] or an `Option` of a [`Ref`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a single reference",
    label = "`parent_ref` is stored in a `Ref<T>` or an `Option<Ref<T>>`"
)]
pub trait Reference: References {
    /// Returns the `_id` of the reference; `None` without a reference.
    fn reference(&self) -> Option<&<Self::Target as Model>::Id>;
}

/// A type that holds references: a `Vec<Ref<T>>`, another list of references, or a single reference.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the reference of a relation or a copy",
    label = "a relation and a copy need a reference here",
    note = "help: write a `Ref<T>`, an `Option<Ref<T>>` or a list of references, as `Vec<Ref<T>>`; a `Ref<T>` is stored as the bare `_id`",
    note = "a struct is a reference, too (an extended reference), if a single field of the struct is a `Ref<T>`, or if all `#[denormalize(..)]` of the struct name the same `Ref<T>`; `by` names the field of the reference and does not choose among several references",
    note = "no relation and no copy refers to a model with `bucket(..)`: the values of the model are parts of documents (rule: bucket_operation); a `Ref<T>` without `#[relation(..)]` may refer to a model with `bucket(..)`"
)]
pub trait References {
    /// The model that the references refer to.
    type Target: Model + OwnDocument;
    /// The Rust name of the field that refers, where the references are extended references.
    const BY: Option<&'static str> = None;
    /// Hands each `_id` to `visit`, in order.
    fn each<'a>(&'a self, visit: &mut dyn FnMut(&'a <Self::Target as Model>::Id));
}

#[diagnostic::do_not_recommend]
impl<T: Model + OwnDocument> References for Ref<T> {
    type Target = T;

    fn each<'a>(&'a self, visit: &mut dyn FnMut(&'a T::Id)) {
        visit(&self.id);
    }
}

#[diagnostic::do_not_recommend]
impl<T: Model + OwnDocument> Reference for Ref<T> {
    fn reference(&self) -> Option<&T::Id> {
        Some(&self.id)
    }
}

#[diagnostic::do_not_recommend]
impl<R: Reference> Reference for Option<R> {
    fn reference(&self) -> Option<&<Self::Target as Model>::Id> {
        self.as_ref().and_then(Reference::reference)
    }
}

macro_rules! references {
    ($($type:ty $(, $count:ident)?;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<R: References $(, const $count: usize)?> References for $type {
            type Target = R::Target;
            const BY: Option<&'static str> = R::BY;

            fn each<'a>(&'a self, visit: &mut dyn FnMut(&'a <Self::Target as Model>::Id)) {
                for element in self.iter() {
                    element.each(visit);
                }
            }
        }
    )*};
}

references! {
    Option<R>;
    Vec<R>;
    VecDeque<R>;
    Box<[R]>;
    BoundedVec<R, N>, N;
    [R; N], N;
}

/// Lets a field with a reference take the document.
macro_rules! document {
    ($($field:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<M: Model> IntoValue<$field> for &M {
            fn into_value(self) -> Result<Bson> {
                self.id().to_bson()
            }
        }
    )*};
}

document!(Ref<M>, Option<Ref<M>>);

/// Returns an extended reference as the value of a field with a reference: the `_id` in the extended reference.
#[doc(hidden)]
pub fn reference_value<R: Reference>(reference: &R) -> Result<Bson> {
    reference.reference().map_or(Ok(Bson::Null), Field::to_bson)
}

/// Lets a field with a reference take the bare `_id`. A single impl for every type of `_id` would overlap with the impl
/// for a `Ref` itself.
macro_rules! bare_id {
    ($($id:ty: $($form:ty),*;)*) => {$($(
        #[diagnostic::do_not_recommend]
        impl<M: Model<Id = $id>> IntoValue<Ref<M>> for $form {
            fn into_value(self) -> Result<Bson> {
                IntoValue::<$id>::into_value(self)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<M: Model<Id = $id>> IntoValue<Option<Ref<M>>> for $form {
            fn into_value(self) -> Result<Bson> {
                IntoValue::<$id>::into_value(self)
            }
        }
    )*)*};
}

bare_id! {
    ObjectId: ObjectId, &ObjectId;
    Uuid: Uuid, &Uuid;
    String: String, &String, &str, &&str;
    i32: i32, &i32;
    i64: i64, &i64;
    u32: u32, &u32;
    u64: u64, &u64;
}

#[cfg(feature = "uuid")]
bare_id! {
    ::uuid::Uuid: ::uuid::Uuid, &::uuid::Uuid;
}
