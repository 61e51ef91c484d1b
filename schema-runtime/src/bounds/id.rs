//! What may stand for the `_id` of a model's document.

use super::Ref;
use crate::model::{Identifier, Model};

/// What names a document of `M` by its `_id`: the `_id` itself or a reference to it, a `&str` where it is a `String`, a
/// [`Ref`], or the document. `K` says which of these, and is always inferred.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not name a document of `{M}`",
    label = "this is not an `_id` of `{M}`",
    note = "help: write the `_id`, a reference to it, a `Ref<{M}>` or a reference to a document of `{M}`; a `&str` where the `_id` is a `String`"
)]
pub trait IntoId<M: Model, K> {
    /// The `_id`.
    fn into_id(self) -> M::Id;
}

/// The `_id` by value.
pub struct OwnedId;
/// A reference to the `_id`.
pub struct BorrowedId;
/// A `&str`, of an `_id` that is a `String`.
pub struct StrId;
/// A document of the model.
pub struct IdOfDocument;
/// A [`Ref`] by value.
pub struct IdOfRef;
/// A reference to a [`Ref`].
pub struct IdOfBorrowedRef;

#[diagnostic::do_not_recommend]
impl<M: Model<Id = I>, I: Identifier> IntoId<M, OwnedId> for I {
    fn into_id(self) -> I {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<M: Model<Id = I>, I: Identifier> IntoId<M, BorrowedId> for &I {
    fn into_id(self) -> I {
        self.clone()
    }
}

#[diagnostic::do_not_recommend]
impl<M: Model<Id = String>> IntoId<M, StrId> for &str {
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
    /// A reference to the `T` with this `_id`, which may or may not be there.
    pub fn new<K>(id: impl IntoId<T, K>) -> Self {
        Ref::of(id.into_id())
    }
}
