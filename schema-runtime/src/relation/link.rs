//! Writes of a relation: changes the references between documents.

use futures_util::future::BoxFuture;
use mongodb::bson::Bson;

use super::{ChildRefs, ParentRef};
use crate::{
    bounds::IntoId,
    error::Result,
    executor::Executor,
    model::{Model, OwnDocument, Updatable},
    operation::{References, change_references},
};

impl<C: Model, P: Model, const NEWEST_FIRST: bool> ParentRef<C, P, P, NEWEST_FIRST> {
    /// Makes the child refer to this parent, in place of the earlier parent. Returns whether the parent has changed.
    /// One `findAndModify`. For a `two_way` relation, a transaction of the `findAndModify` and an `update` of both
    /// mirrors.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) when the child does not exist. For a `two_way` relation,
    /// [`Error::DanglingReference`](crate::Error::DanglingReference) when the parent does not exist, and
    /// [`Error::BoundExceeded`](crate::Error::BoundExceeded) when the mirror of the parent has no capacity. After an
    /// error, nothing is written.
    pub fn reassign<'a, K, L>(
        self,
        db: &'a impl Executor,
        child: impl IntoId<C, K>,
        parent: impl IntoId<P, L>,
    ) -> BoxFuture<'a, Result<bool>>
    where
        C: OwnDocument + Updatable,
    {
        let change = parent.into_id_value().map(References::Link);
        change_references(db, C::DEFINITION, self.name_of_field(), child.into_id_value(), change)
    }

    /// Removes the reference of the child to this parent, if the reference is an `Option`. Returns whether the child
    /// referred to the parent.
    ///
    /// # Errors
    /// [`Error::Update`](crate::Error::Update) when the reference is no `Option`; the other errors as
    /// [`reassign`](ParentRef::reassign).
    pub fn unlink<'a, K, L>(
        self,
        db: &'a impl Executor,
        child: impl IntoId<C, K>,
        parent: impl IntoId<P, L>,
    ) -> BoxFuture<'a, Result<bool>>
    where
        C: OwnDocument + Updatable,
    {
        let change = parent.into_id_value().map(References::Unlink);
        change_references(db, C::DEFINITION, self.name_of_field(), child.into_id_value(), change)
    }
}

impl<P: Model, C: Model> ChildRefs<P, C> {
    /// Adds a reference from the document to the other document. Returns whether the reference is new. One
    /// `findAndModify`. For a `two_way` relation, a transaction of the `findAndModify` and an `update` of the far end.
    /// A call on a mirror is the same as the call on the far side.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) when the document does not exist,
    /// [`Error::BoundExceeded`](crate::Error::BoundExceeded) when the array has no capacity. For a `two_way` relation,
    /// the same errors for the far end, and [`Error::DanglingReference`](crate::Error::DanglingReference) when the far
    /// end does not exist. After an error, nothing is written. [`Error::Update`](crate::Error::Update) when the array
    /// holds extended references.
    pub fn link<'a, K, L>(
        self,
        db: &'a impl Executor,
        document: impl IntoId<P, K>,
        other: impl IntoId<C, L>,
    ) -> BoxFuture<'a, Result<bool>>
    where
        P: Updatable,
    {
        let change = other.into_id_value().map(References::Link);
        change_references(db, P::DEFINITION, self.name_of_field(), document.into_id_value(), change)
    }

    /// Removes the reference from the document to the other document. Returns whether the reference existed.
    ///
    /// # Errors
    /// As [`link`](ChildRefs::link); [`Error::Update`](crate::Error::Update) also when the far end requires a
    /// reference.
    pub fn unlink<'a, K, L>(
        self,
        db: &'a impl Executor,
        document: impl IntoId<P, K>,
        other: impl IntoId<C, L>,
    ) -> BoxFuture<'a, Result<bool>>
    where
        P: Updatable,
    {
        let change = other.into_id_value().map(References::Unlink);
        change_references(db, P::DEFINITION, self.name_of_field(), document.into_id_value(), change)
    }

    /// Sets the references of the document to exactly the given documents. Returns whether the references have changed.
    ///
    /// # Errors
    /// As [`link`](ChildRefs::link) and [`unlink`](ChildRefs::unlink).
    pub fn set<'a, K, L>(
        self,
        db: &'a impl Executor,
        document: impl IntoId<P, K>,
        others: impl IntoIterator<Item: IntoId<C, L>>,
    ) -> BoxFuture<'a, Result<bool>>
    where
        P: Updatable,
    {
        let others: Result<Vec<Bson>> = others.into_iter().map(|other| other.into_id_value()).collect();
        let id = document.into_id_value();
        change_references(db, P::DEFINITION, self.name_of_field(), id, others.map(References::Set))
    }
}
