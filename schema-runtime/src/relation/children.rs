//! Children that are found by what they store: those of a `parent_ref`, and those of `child_refs` seen from the far side.

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

/// The relation by which many `C` refer to a `P`; they are read into `T`.
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
    /// The children of one parent: of a document, of its `_id`, or of what a [`Ref`](crate::bounds::Ref) refers to.
    pub fn of<K>(self, parent: impl IntoId<P, K>) -> ChildrenOf<P, C, T>
    where
        P: Model,
    {
        self.by(parent.into_id_value())
    }

    /// The same of a document, for accessors: rustc has one type to look at.
    #[doc(hidden)]
    pub fn of_document(self, parent: &P) -> ChildrenOf<P, C, T>
    where
        P: Model,
    {
        self.by(parent.id().to_bson())
    }

    /// The same of an `_id` as a value.
    #[doc(hidden)]
    pub fn by(self, parent: Result<Bson>) -> ChildrenOf<P, C, T> {
        ChildrenOf { relation: self, parent }
    }

    /// The first `count` children of each parent, in the relation's order: the latest, where that is descending in time.
    pub fn latest(self, count: u32) -> LatestEach<P, C, T> {
        LatestEach::new(self, count)
    }

    /// The same, but the server sends the fields of `V` only.
    pub fn select<V: Projection<Of = C>>(self) -> Children<P, C, V>
    where
        C: Model,
    {
        Children { field: self.field, fields: all_fields::<V>, parent: PhantomData, types: PhantomData }
    }
}

impl<P: Model, C: Model, T: Item> Children<P, C, T> {
    /// All children of many parents, those of each in the relation's order, by commands of 100 parents, four at a time. Parents are
    /// documents, their `_id`s, or [`Ref`](crate::bounds::Ref)s. As many as there are come into memory; [`latest`](Children::latest) takes some of each.
    ///
    /// # Errors
    /// Those of the server and the network. Documents that do not fit are in the result.
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

    /// The same by their `_id`s, where it is not known that the children are documents of their own.
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

    /// The parents that a filter or a [`Find`](crate::operation::Find) finds, each with its children in the relation's order, joined on the server by
    /// one command (`$lookup`, unwound) and the relation's index:
    /// `Host::LOGMSGS.lookup(Host::F.up.eq(true)).matching(LogMsg::F.level.gte(3)).limit(5).fetch(&db)`.
    pub fn lookup(self, parents: impl IntoFind<P>) -> Lookup<P, C, T>
    where
        C: OwnDocument,
    {
        Lookup::referring(parents, self.field, self.fields)
    }
}

/// The `_id`s of parents.
pub(super) fn ids_of<P: Model, K>(parents: impl IntoIterator<Item: IntoId<P, K>>) -> Result<Vec<Bson>> {
    parents.into_iter().map(|parent| parent.into_id_value()).collect()
}

/// The children of one parent, to be read: nothing reaches the server until it is awaited.
#[must_use = "nothing is read until it is awaited"]
pub struct ChildrenOf<P, C, T = C> {
    relation: Children<P, C, T>,
    /// The `_id` of the parent.
    parent: Result<Bson>,
}

impl<P, C, T> ChildrenOf<P, C, T> {
    /// The `_id` of the parent.
    pub(crate) fn into_parent(self) -> Result<Bson> {
        self.parent
    }
}

impl<P, C: Model + OwnDocument, T> ChildrenOf<P, C, T> {
    /// The first `count` children in the relation's order: the latest, where that is descending in time.
    pub fn latest(self, count: u32) -> Latest<P, C, T> {
        Latest::new(self, count)
    }

    /// Pages of `size` children in the relation's order; a `size` of 0 counts as 1.
    pub fn page<'t>(self, size: u32) -> PageOf<'t, P, C, T> {
        PageOf::new(self, size)
    }

    /// The same, but the server sends the fields of `V` only.
    pub fn select<V: Projection<Of = C>>(self) -> ChildrenOf<P, C, V> {
        ChildrenOf { relation: self.relation.select(), parent: self.parent }
    }
}

impl<P: Model, C: Model + OwnDocument, T: Item> ChildrenOf<P, C, T> {
    /// All children, in the relation's order.
    ///
    /// # Errors
    /// Those of the server and the network. Documents that do not fit are in the result.
    pub async fn fetch(self, executor: &impl Executor) -> Result<Joined<T, C>> {
        one_by_one::children::<P, C>(self.field());
        load::all(executor, self.name(), self.query().map(|children| children.all())).await
    }

    /// The first child in the relation's order, or `None` when there is none. One `find` of one document.
    ///
    /// # Errors
    /// [`Error::Decode`](crate::Error::Decode) when it does not fit, and those of the server and the network.
    pub async fn find(self, executor: &impl Executor) -> Result<Option<T>> {
        self.latest(1).fetch(executor).await?.into_first().transpose()
    }

    /// The first child in the relation's order.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) when there is none; the others as [`find`](ChildrenOf::find).
    pub async fn get(self, executor: &impl Executor) -> Result<T> {
        self.find(executor).await?.ok_or_else(|| Error::not_found(C::DEFINITION))
    }

    /// All children, one after another, in the order of [`fetch`](ChildrenOf::fetch). At most 2,000 of them are in memory.
    ///
    /// # Errors
    /// Those of the server and the network; from the stream also those of documents that do not fit.
    pub async fn stream(self, executor: &impl Executor) -> Result<Documents<T>> {
        let documents = run::stream(executor, self.query().map(|children| children.all())).await?;
        Ok(Documents::new(C::DEFINITION.collection, documents))
    }

    /// How many children there are.
    ///
    /// # Errors
    /// Those of the server and the network.
    pub async fn count(self, executor: &impl Executor) -> Result<u64> {
        run::count(executor, self.query().map(|children| children.paged())).await
    }

    /// Whether there is a child, by one `find` of one `_id`.
    ///
    /// # Errors
    /// Those of the server and the network.
    pub async fn exists(self, executor: &impl Executor) -> Result<bool> {
        run::exists(executor, self.query().map(|children| children.paged())).await
    }

    /// The distinct values of a field in all children, as [`Find::distinct`](crate::operation::Find::distinct) gives them.
    ///
    /// # Errors
    /// [`Error::Decode`](crate::Error::Decode) when a value does not fit the field's type, and those of the server and the network.
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

    /// The field of the children that stores the relation, in Rust.
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
