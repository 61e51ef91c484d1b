//! Writes of a relation: which documents refer to which.

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

impl<C: Model, P: Model> ParentRef<C, P> {
    /// The child refers to this parent, in the place of the one that it refers to: whether that was another. One `findAndModify`; of a
    /// `two_way` a transaction of it and one `update` of both mirrors.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) when the child is not there. Of a `two_way`
    /// [`Error::DanglingReference`](crate::Error::DanglingReference) when the parent is not, and
    /// [`Error::BoundExceeded`](crate::Error::BoundExceeded) when its mirror has no place. Nothing is written then.
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

    /// The child refers to this parent no longer, where the reference is an `Option`: whether it did.
    ///
    /// # Errors
    /// [`Error::Update`](crate::Error::Update) when the reference is no `Option`; the others as of [`reassign`](ParentRef::reassign).
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
    /// The document refers to the other one too: whether it did not yet. One `findAndModify`; of a `two_way` a transaction of it and one
    /// `update` of the other end. Of a mirror it is the same as the far side's.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) when the document is not there, [`Error::BoundExceeded`](crate::Error::BoundExceeded) when
    /// its array has no place. Of a `two_way` the same of the other end, and [`Error::DanglingReference`](crate::Error::DanglingReference)
    /// when that is not there. Nothing is written then. [`Error::Update`](crate::Error::Update) where the array holds extended references.
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

    /// The document does no longer refer to the other one: whether it did.
    ///
    /// # Errors
    /// As of [`link`](ChildRefs::link); [`Error::Update`](crate::Error::Update) also where the other end always refers to one.
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

    /// The document refers to these and no others: whether it was otherwise.
    ///
    /// # Errors
    /// As of [`link`](ChildRefs::link) and [`unlink`](ChildRefs::unlink).
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
