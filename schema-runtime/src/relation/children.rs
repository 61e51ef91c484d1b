//! Children found by a reference in the child: the children of a `parent_ref`, and the documents of `child_refs` seen from the far side.

mod latest;
mod page;

use std::{fmt, marker::PhantomData};

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document};
use serde::de::DeserializeOwned;

pub use latest::{Latest, LatestEach};
pub use page::PageOf;

use super::{Lookup, one_by_one};
use crate::{
    bounds::IntoId,
    error::{Error, Result},
    executor::Executor,
    explain::Explain,
    field::{Distinct, DistinctOf, Field, Token},
    join::{Fields, Item, Joined, Loaded, Name, load, query::ChildrenQuery},
    model::{Model, OwnDocument, Projection, all_fields},
    operation::IntoFind,
    read::{self, Documents, run},
};

/// The relation by which many `C` refer to a `P`; the children are read into `T`.
pub struct Children<P, C, T = C> {
    field: &'static str,
    fields: Fields,
    parent: PhantomData<fn() -> P>,
    types: PhantomData<fn() -> (C, T)>,
}

impl<P, C> Children<P, C> {
    #[doc(hidden)]
    pub const fn new(field: &'static str) -> Self {
        Children { field, fields: Document::new, parent: PhantomData, types: PhantomData }
    }
}

impl<P, C, T> Children<P, C, T> {
    /// Selects the children of one parent: the parent is a document, an `_id`, or a [`Ref`](crate::bounds::Ref).
    pub fn of<K>(self, parent: impl IntoId<P, K>) -> ChildrenOf<P, C, T>
    where
        P: Model,
    {
        self.by(parent.into_id_value())
    }

    /// Selects the children of a document, for accessors: rustc has only one type to consider.
    #[doc(hidden)]
    pub fn of_document(self, parent: &P) -> ChildrenOf<P, C, T>
    where
        P: Model,
    {
        self.by(parent.id().to_bson())
    }

    /// Selects the children of an `_id` as a value.
    #[doc(hidden)]
    pub fn by(self, parent: Result<Bson>) -> ChildrenOf<P, C, T> {
        ChildrenOf { relation: self, parent }
    }

    /// Selects the first `count` children of each parent, in the order of the relation: the latest children, if the order is descending in
    /// time.
    pub fn latest(self, count: u32) -> LatestEach<P, C, T> {
        LatestEach::new(self, count)
    }

    /// Reads the same children, but the server sends only the fields of `V`.
    pub fn select<V: Projection<Of = C>>(self) -> Children<P, C, V>
    where
        C: Model,
    {
        Children { field: self.field, fields: all_fields::<V>, parent: PhantomData, types: PhantomData }
    }
}

impl<P: Model, C: Model, T: Item> Children<P, C, T> {
    /// Reads all children of many parents, the children of each parent in the order of the relation, by commands of 100 parents, four at a
    /// time. Parents are documents, `_id`s, or [`Ref`](crate::bounds::Ref)s. All children come into memory; [`latest`](Children::latest)
    /// reads some children of each parent.
    ///
    /// # Errors
    /// Errors of the server and the network. The result contains the documents that do not fit.
    pub fn load<'a, K>(
        self,
        executor: &'a impl Executor,
        parents: impl IntoIterator<Item: IntoId<P, K>>,
    ) -> BoxFuture<'a, Result<Loaded<P, C, T>>>
    where
        Self: 'a,
        C: OwnDocument,
    {
        self.load_each(executor, ids_of(parents))
    }

    /// Loads by `_id`s like [`load`](Children::load), also when the children may not be separate documents.
    pub(super) fn load_each<'a>(
        self,
        executor: &'a impl Executor,
        parents: Result<Vec<Bson>>,
    ) -> BoxFuture<'a, Result<Loaded<P, C, T>>>
    where
        Self: 'a,
    {
        Box::pin(load::load_all(executor, self.field, parents, self.fields))
    }

    /// Finds parents by a filter or a [`Find`](crate::operation::Find), each with the children in the order of the relation, joined on the
    /// server by one command (`$lookup`, unwound) and the index of the relation:
    /// `Host::LOGMSGS.lookup(Host::F.up.eq(true)).matching(LogMsg::F.level.gte(3)).limit(5).fetch_all(&db)`.
    pub fn lookup(self, parents: impl IntoFind<P>) -> Lookup<P, C, T>
    where
        C: OwnDocument,
    {
        Lookup::referring(parents, self.field, self.fields)
    }
}

/// Returns the `_id`s of parents.
pub(super) fn ids_of<P: Model, K>(parents: impl IntoIterator<Item: IntoId<P, K>>) -> Result<Vec<Bson>> {
    parents.into_iter().map(|parent| parent.into_id_value()).collect()
}

/// The children of one parent, to be read: nothing reaches the server until a read is awaited.
#[must_use = "nothing is read until it is awaited"]
pub struct ChildrenOf<P, C, T = C> {
    relation: Children<P, C, T>,
    /// The `_id` of the parent.
    parent: Result<Bson>,
}

impl<P, C, T> ChildrenOf<P, C, T> {
    /// Returns the `_id` of the parent.
    pub(crate) fn into_parent(self) -> Result<Bson> {
        self.parent
    }
}

impl<P, C: Model + OwnDocument, T> ChildrenOf<P, C, T> {
    /// Selects the first `count` children in the order of the relation: the latest children, if the order is descending in time.
    pub fn latest(self, count: u32) -> Latest<P, C, T> {
        Latest::new(self, count)
    }

    /// Reads pages of `size` children in the order of the relation; a `size` of 0 counts as 1.
    pub fn paginate<'t>(self, size: u32) -> PageOf<'t, P, C, T> {
        PageOf::new(self, size)
    }

    /// Reads the same children, but the server sends only the fields of `V`.
    pub fn select<V: Projection<Of = C>>(self) -> ChildrenOf<P, C, V> {
        ChildrenOf { relation: self.relation.select(), parent: self.parent }
    }
}

impl<P: Model, C: Model + OwnDocument, T: Item> ChildrenOf<P, C, T> {
    /// Reads all children, in the order of the relation.
    ///
    /// # Errors
    /// Errors of the server and the network. The result contains the documents that do not fit.
    pub async fn fetch_all(self, executor: &impl Executor) -> Result<Joined<T, C>> {
        one_by_one::children::<P, C>(self.field());
        load::all(executor, self.name(), self.query().map(|children| children.all())).await
    }

    /// Returns the first child in the order of the relation; `None` when no child exists. One `find` of one document.
    ///
    /// # Errors
    /// [`Error::Decode`](crate::Error::Decode) when the child does not fit, and errors of the server and the network.
    pub async fn fetch_optional(self, executor: &impl Executor) -> Result<Option<T>> {
        self.latest(1).fetch_all(executor).await?.into_first().transpose()
    }

    /// Returns the first child in the order of the relation.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) when no child exists; the other errors as [`fetch_optional`](ChildrenOf::fetch_optional).
    pub async fn fetch_one(self, executor: &impl Executor) -> Result<T> {
        self.fetch_optional(executor).await?.ok_or_else(|| Error::not_found(C::DEFINITION))
    }

    /// Streams all children in the order of [`fetch_all`](ChildrenOf::fetch_all). At most 2,000 children are in memory.
    ///
    /// # Errors
    /// Errors of the server and the network; the stream also returns the errors of documents that do not fit.
    pub async fn stream(self, executor: &impl Executor) -> Result<Documents<T>> {
        let documents = run::stream(executor, self.query().map(|children| children.all())).await?;
        Ok(Documents::new(C::DEFINITION.collection, documents))
    }

    /// Counts the children.
    ///
    /// # Errors
    /// Errors of the server and the network.
    pub async fn count(self, executor: &impl Executor) -> Result<u64> {
        run::count(executor, self.query().map(|children| children.paged())).await
    }

    /// Returns whether a child exists, by one `find` of one `_id`.
    ///
    /// # Errors
    /// Errors of the server and the network.
    pub async fn exists(self, executor: &impl Executor) -> Result<bool> {
        run::exists(executor, self.query().map(|children| children.paged())).await
    }

    /// Returns the distinct values of a field in all children, as [`Find::distinct`](crate::operation::Find::distinct) does.
    ///
    /// # Errors
    /// [`Error::Decode`](crate::Error::Decode) when a value does not fit the type of the field, and errors of the server and the network.
    pub fn distinct<'e, F>(self, executor: &'e impl Executor, field: F) -> BoxFuture<'e, Result<Vec<DistinctOf<F>>>>
    where
        F: Token<Model = C, Class: Distinct<F::Value>> + 'e,
        DistinctOf<F>: DeserializeOwned + 'e,
    {
        let _ = field;
        let query = self.query().map(|children| children.paged());
        Box::pin(read::distinct::<C, F>(executor, query))
    }

    pub(super) fn query(&self) -> Result<ChildrenQuery> {
        let Children { field, fields, .. } = self.relation;
        Ok(ChildrenQuery::new(C::DEFINITION, field, self.parent.clone()?, fields))
    }

    /// Returns the Rust name of the field of the children that stores the relation.
    pub(super) fn field(&self) -> &'static str {
        self.relation.field
    }

    fn name(&self) -> Name {
        Name::new(C::DEFINITION, self.relation.field)
    }
}

impl<P: Model, C: Model + OwnDocument, T: Item> Explain for ChildrenOf<P, C, T> {
    async fn explain(&self, executor: &impl Executor) -> Result<Document> {
        run::explain(executor, self.query().map(|children| children.all())).await
    }
}

impl<P, C, T> Clone for Children<P, C, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P, C, T> Copy for Children<P, C, T> {}

impl<P, C, T> Clone for ChildrenOf<P, C, T> {
    fn clone(&self) -> Self {
        ChildrenOf { relation: self.relation, parent: self.parent.clone() }
    }
}

impl<P, C, T> fmt::Debug for Children<P, C, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Children").field(&self.field).finish()
    }
}

impl<P, C, T> fmt::Debug for ChildrenOf<P, C, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("ChildrenOf").field(&self.relation.field).finish()
    }
}
