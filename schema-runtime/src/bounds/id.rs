//! The values that may stand for the `_id` of a model's document.

use std::ops::Deref;

use mongodb::bson::Bson;

use super::Ref;
use crate::{
    error::Result,
    model::{Identifier, Model},
};

/// A value that names a document of `M` by the `_id`: the `_id` itself or a reference to the `_id`, a `&str` where the
/// `_id` is a `String`, or a [`Ref`]; the document, also behind a `Box`, an `Arc` or another pointer. `K` is the form
/// of the value, `I` is the type of the `_id`; both are always inferred.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not name a document of `{M}`",
    label = "the `_id` of `{M}` is of type `{I}`",
    note = "help: write the `_id`, a reference to the `_id`, a `Ref<{M}>` or a reference to a document of `{M}`; write a `&str` where the `_id` is a `String`"
)]
pub trait IntoId<M: Model, K, I = <M as Model>::Id> {
    /// Returns the `_id`.
    fn into_id(self) -> I;

    /// Returns the `_id` as a BSON value.
    #[doc(hidden)]
    fn into_id_value(self) -> Result<Bson>
    where
        Self: Sized,
        I: Identifier,
    {
        self.into_id().to_bson()
    }
}

/// The `_id` by value.
pub struct OwnedId;
/// A reference to the `_id`.
pub struct BorrowedId;
/// A `&str`, for an `_id` that is a `String`.
pub struct StrId;
/// A reference to a document of the model.
pub struct IdOfDocument;
/// A mutable reference to a document of the model.
pub struct IdOfChangedDocument;
/// A smart pointer to a document.
pub struct IdOfPointer;
/// A [`Ref`] by value.
pub struct IdOfRef;
/// A reference to a [`Ref`].
pub struct IdOfBorrowedRef;

#[diagnostic::do_not_recommend]
impl<M: Model<Id = I>, I: Identifier> IntoId<M, OwnedId, I> for I {
    fn into_id(self) -> I {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<M: Model<Id = I>, I: Identifier> IntoId<M, BorrowedId, I> for &I {
    fn into_id(self) -> I {
        self.clone()
    }
}

#[diagnostic::do_not_recommend]
impl<M: Model<Id = String>> IntoId<M, StrId, String> for &str {
    fn into_id(self) -> String {
        self.to_owned()
    }
}

#[diagnostic::do_not_recommend]
impl<M: Model> IntoId<M, IdOfDocument> for &M {
    fn into_id(self) -> M::Id {
        self.id().clone()
    }
}

#[diagnostic::do_not_recommend]
impl<M: Model> IntoId<M, IdOfChangedDocument> for &mut M {
    fn into_id(self) -> M::Id {
        self.id().clone()
    }
}

#[diagnostic::do_not_recommend]
impl<M: Model, D: Deref<Target = M> + ?Sized> IntoId<M, IdOfPointer> for &D {
    fn into_id(self) -> M::Id {
        self.id().clone()
    }
}

#[diagnostic::do_not_recommend]
impl<M: Model> IntoId<M, IdOfRef> for Ref<M> {
    fn into_id(self) -> M::Id {
        Ref::into_id(self)
    }
}

#[diagnostic::do_not_recommend]
impl<M: Model> IntoId<M, IdOfBorrowedRef> for &Ref<M> {
    fn into_id(self) -> M::Id {
        self.id().clone()
    }
}

impl<T: Model> Ref<T> {
    /// A reference to the `T` with this `_id`; the document may exist or not.
    pub fn new<K>(id: impl IntoId<T, K>) -> Self {
        Ref::of(id.into_id())
    }
}
