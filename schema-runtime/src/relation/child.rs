//! The far side of a `one_to_one`: the only document that refers to a parent.

use derive_where::derive_where;
use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document};

use super::{Children, ChildrenOf, Lookup, one_by_one};
use crate::{
    bounds::IntoId,
    error::{Error, Result},
    executor::{Configurable, Executor, OperationOptions},
    explain::Explain,
    join::{Item, Loaded},
    model::{Model, OwnDocument, Projection},
    mongosh::ToMongosh,
    operation::IntoFind,
    read::{self, Query, run},
};

/// The relation by which a single `C` refers to a `P`; `C` is read into `T`.
#[derive_where(Clone, Copy, Debug)]
pub struct Child<P, C, T = C>(Children<P, C, T>);

impl<P, C> Child<P, C> {
    #[doc(hidden)]
    pub const fn new(field: &'static str) -> Self {
        Child(Children::new(field))
    }
}

impl<P, C, T> Child<P, C, T> {
    /// Returns the Rust name of the field of the child that stores the relation.
    pub(super) const fn name_of_field(&self) -> &'static str {
        self.0.name_of_field()
    }

    /// Selects the child of a parent: the parent is a document, an `_id`, or a [`Ref`](crate::Ref).
    pub fn of<K>(self, parent: impl IntoId<P, K>) -> ChildOf<P, C, T>
    where
        P: Model,
    {
        ChildOf(self.0.of(parent))
    }

    /// Selects the child of a document, for accessors: rustc has only one type to consider.
    #[doc(hidden)]
    pub fn of_document(self, parent: &P) -> ChildOf<P, C, T>
    where
        P: Model,
    {
        ChildOf(self.0.of_document(parent))
    }

    /// Selects the child of an `_id` as a value.
    #[doc(hidden)]
    pub fn by(self, parent: Result<Bson>) -> ChildOf<P, C, T> {
        ChildOf(self.0.by(parent))
    }

    /// Reads the same child, but the server sends only the fields of `V`.
    pub fn select<V: Projection<Of = C>>(self) -> Child<P, C, V>
    where
        C: Model + OwnDocument,
    {
        Child(self.0.select())
    }
}

impl<P: Model, C: Model, T: Item> Child<P, C, T> {
    /// Loads by `_id`s like [`load`](Child::load), also when the child may not be a separate document.
    pub(super) fn load_each<'a>(
        self,
        db: &'a impl Executor,
        parents: Result<Vec<Bson>>,
    ) -> BoxFuture<'a, Result<Loaded<P, C, T>>>
    where
        Self: 'a,
    {
        self.0.load_each(db, parents)
    }
}

impl<P: Model, C: Model + OwnDocument, T: Item> Child<P, C, T> {
    /// Reads the child of each of many parents, by commands of 100 parents, four at a time:
    /// `children.of(&parent).first()`.
    ///
    /// # Errors
    /// Errors of the server and the network. The result contains the documents that do not fit.
    pub fn load<'a, K>(
        self,
        db: &'a impl Executor,
        parents: impl IntoIterator<Item: IntoId<P, K>>,
    ) -> BoxFuture<'a, Result<Loaded<P, C, T>>>
    where
        Self: 'a,
    {
        self.0.load(db, parents)
    }

    /// Finds parents by a filter or a [`Find`](crate::operation::Find), each with the child, joined on the server by
    /// one command (`$lookup`). The [`first`](crate::Joined::first) of a row is the child.
    pub fn lookup(self, parents: impl IntoFind<P>) -> Lookup<P, C, T> {
        self.0.lookup(parents)
    }
}

/// The child of a parent, to be read: nothing reaches the server until a read is awaited.
#[must_use = "nothing is read until a read is awaited"]
#[derive_where(Clone, Debug)]
pub struct ChildOf<P, C, T = C>(ChildrenOf<P, C, T>);

impl<P, C, T> ChildOf<P, C, T> {
    /// Reads the same child, but the server sends only the fields of `V`.
    pub fn select<V: Projection<Of = C>>(self) -> ChildOf<P, C, V>
    where
        C: Model + OwnDocument,
    {
        ChildOf(self.0.select())
    }
}

impl<P, C, T> Configurable for ChildOf<P, C, T> {
    fn configure(self, change: impl FnOnce(&mut OperationOptions)) -> Self {
        ChildOf(self.0.configure(change))
    }
}

impl<P: Model, C: Model + OwnDocument, T: Item> ChildOf<P, C, T> {
    /// Returns the child; `None` when no child exists. A `find` of a single document.
    ///
    /// # Errors
    /// [`Error::Decode`] when the child does not fit, and errors of the server and the network.
    pub async fn fetch_optional(self, db: &impl Executor) -> Result<Option<T>> {
        one_by_one::children::<P, C>(self.0.field());
        read::decoded(C::DEFINITION.collection, run::first(db, self.query())).await
    }

    /// Returns the child.
    ///
    /// # Errors
    /// [`Error::NotFound`] when no child exists; the other errors as [`fetch_optional`](ChildOf::fetch_optional).
    pub async fn fetch_one(self, db: &impl Executor) -> Result<T> {
        self.fetch_optional(db).await?.ok_or_else(|| Error::not_found(C::DEFINITION))
    }

    /// Returns whether a child exists, by a `find` of a single `_id`.
    ///
    /// # Errors
    /// Errors of the server and the network.
    pub async fn exists(self, db: &impl Executor) -> Result<bool> {
        self.0.exists(db).await
    }

    /// Returns the query without a sort: by the unique index of the relation, at most one child exists.
    fn query(&self) -> Result<Query> {
        self.0.query().map(|children| children.paged())
    }
}

impl<P: Model, C: Model + OwnDocument, T: Item> ToMongosh for ChildOf<P, C, T> {
    fn command(&self) -> Result<Document> {
        self.query().map(|query| Query { limit: 1, ..query }.into_command())
    }
}

impl<P: Model, C: Model + OwnDocument, T: Item> Explain for ChildOf<P, C, T> {}
