//! The implementations of `Relations` for the handles. No macro writes the implementations, because rustc would name
//! the macro in errors for users.

use futures_util::future::BoxFuture;

use super::{LoadsDocuments, Relations};
use crate::{
    error::Result,
    executor::Executor,
    join::{Item, Loaded},
    model::{Model, OwnDocument},
    relation::{Child, ChildRefs, Children, FirstEach, ParentRef, children::ids_of},
};

#[diagnostic::do_not_recommend]
impl<P: Model, C: Model, T: Item, const NEWEST_FIRST: bool> Relations<C> for ParentRef<C, P, T, NEWEST_FIRST> {
    type Loaded = Loaded<C, P, T>;

    fn load_any<'a>(
        self,
        db: &'a impl Executor,
        documents: impl IntoIterator<Item = &'a C>,
    ) -> BoxFuture<'a, Result<Self::Loaded>>
    where
        Self: 'a,
    {
        ParentRef::load(self, db, documents)
    }
}

#[diagnostic::do_not_recommend]
impl<P: Model, C: Model, T: Item> Relations<P> for ChildRefs<P, C, T> {
    type Loaded = Loaded<P, C, T>;

    fn load_any<'a>(
        self,
        db: &'a impl Executor,
        documents: impl IntoIterator<Item = &'a P>,
    ) -> BoxFuture<'a, Result<Self::Loaded>>
    where
        Self: 'a,
    {
        ChildRefs::load(self, db, documents)
    }
}

#[diagnostic::do_not_recommend]
impl<P: Model, C: Model, T: Item, const NEWEST_FIRST: bool> Relations<P> for Children<P, C, T, NEWEST_FIRST> {
    type Loaded = Loaded<P, C, T>;

    fn load_any<'a>(
        self,
        db: &'a impl Executor,
        documents: impl IntoIterator<Item = &'a P>,
    ) -> BoxFuture<'a, Result<Self::Loaded>>
    where
        Self: 'a,
    {
        self.load_each(db, ids_of(documents))
    }
}

#[diagnostic::do_not_recommend]
impl<P: Model, C: Model, T: Item> Relations<P> for Child<P, C, T> {
    type Loaded = Loaded<P, C, T>;

    fn load_any<'a>(
        self,
        db: &'a impl Executor,
        documents: impl IntoIterator<Item = &'a P>,
    ) -> BoxFuture<'a, Result<Self::Loaded>>
    where
        Self: 'a,
    {
        self.load_each(db, ids_of(documents))
    }
}

#[diagnostic::do_not_recommend]
impl<P: Model, C: Model, T: Item> Relations<P> for FirstEach<P, C, T> {
    type Loaded = Loaded<P, C, T>;

    fn load_any<'a>(
        self,
        db: &'a impl Executor,
        documents: impl IntoIterator<Item = &'a P>,
    ) -> BoxFuture<'a, Result<Self::Loaded>>
    where
        Self: 'a,
    {
        self.load_each(db, ids_of(documents))
    }
}

impl<C, P: Model, T, const NEWEST_FIRST: bool> LoadsDocuments for ParentRef<C, P, T, NEWEST_FIRST> {}
impl<P, C: Model, T> LoadsDocuments for ChildRefs<P, C, T> {}
impl<P, C: OwnDocument, T, const NEWEST_FIRST: bool> LoadsDocuments for Children<P, C, T, NEWEST_FIRST> {}
impl<P, C: OwnDocument, T> LoadsDocuments for Child<P, C, T> {}
impl<P, C: OwnDocument, T> LoadsDocuments for FirstEach<P, C, T> {}
