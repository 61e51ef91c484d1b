//! Children found by a reference in the child: the children of a `parent_ref`, and the documents of `child_refs` seen
//! from the far side.

mod first;
pub(crate) mod order;
mod page;

use std::{marker::PhantomData, sync::Arc};

use derive_where::derive_where;
use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document};
use serde::de::DeserializeOwned;

pub use first::{First, FirstEach};
pub use order::{NewestFirst, OrderOf};
pub use page::PageOf;

use super::{Lookup, one_by_one};
use crate::{
    bounds::IntoId,
    error::{Error, Result},
    executor::{Configurable, Executor, OperationOptions},
    explain::Explain,
    field::{Distinct, DistinctOf, Field, Filter, Record, SortKeys, Token},
    join::{Fields, Item, Joined, Loaded, Name, load, query::ChildrenQuery},
    model::{Model, OwnDocument, Projection, all_fields, shown_fields},
    mongosh::ToMongosh,
    operation::{Find, IntoFind},
    page::{Pages, Request},
    read::{self, Documents, run},
};

/// The relation by which many `C` refer to a `P`; the children are read into `T`. `NEWEST_FIRST` is true for an order
/// whose first key is descending: the declared order, or the newest `_id` first.
#[derive_where(Clone, Copy, Debug)]
pub struct Children<P, C, T = C, const NEWEST_FIRST: bool = true> {
    field: &'static str,
    /// The fields of a projection; `None` for whole documents.
    #[derive_where(skip(Debug))]
    fields: Option<Fields>,
    #[derive_where(skip(Debug))]
    parent: PhantomData<fn() -> P>,
    #[derive_where(skip(Debug))]
    types: PhantomData<fn() -> (C, T)>,
}

impl<P, C, const NEWEST_FIRST: bool> Children<P, C, C, NEWEST_FIRST> {
    #[doc(hidden)]
    pub const fn new(field: &'static str) -> Self {
        Children { field, fields: None, parent: PhantomData, types: PhantomData }
    }
}

impl<P, C, T, const NEWEST_FIRST: bool> Children<P, C, T, NEWEST_FIRST> {
    /// Returns the Rust name of the field of the children that stores the relation.
    pub(super) const fn name_of_field(&self) -> &'static str {
        self.field
    }

    /// Selects the children of one parent: the parent is a document, an `_id`, or a [`Ref`](crate::Ref).
    pub fn of<K>(self, parent: impl IntoId<P, K>) -> ChildrenOf<P, C, T, NEWEST_FIRST>
    where
        P: Model,
    {
        self.by(parent.into_id_value())
    }

    /// Selects the children of a document, for accessors: rustc has only one type to consider.
    #[doc(hidden)]
    pub fn of_document(self, parent: &P) -> ChildrenOf<P, C, T, NEWEST_FIRST>
    where
        P: Model,
    {
        self.by(parent.id().to_bson())
    }

    /// Selects the children of an `_id` as a value.
    #[doc(hidden)]
    pub fn by(self, parent: Result<Bson>) -> ChildrenOf<P, C, T, NEWEST_FIRST> {
        ChildrenOf { relation: self, parent, options: None }
    }

    /// Selects the first `count` children of each parent, in the order of the relation.
    pub fn first(self, count: u32) -> FirstEach<P, C, T> {
        FirstEach::new(self.without_order(), count)
    }

    /// Selects the latest `count` children of each parent: the first children in an order that is newest first. In any
    /// other order, the call does not compile.
    pub fn latest(self, count: u32) -> FirstEach<P, C, T>
    where
        OrderOf<NEWEST_FIRST>: NewestFirst,
    {
        self.first(count)
    }

    /// Returns the same relation, without the order in the type.
    fn without_order(self) -> Children<P, C, T> {
        Children { field: self.field, fields: self.fields, parent: PhantomData, types: PhantomData }
    }

    /// Reads the same children, but the server sends only the fields of `V`.
    pub fn select<V: Projection<Of = C>>(self) -> Children<P, C, V, NEWEST_FIRST>
    where
        C: Model,
    {
        Children { field: self.field, fields: Some(all_fields::<V>), parent: PhantomData, types: PhantomData }
    }
}

impl<P: Model, C: Model, T: Item, const NEWEST_FIRST: bool> Children<P, C, T, NEWEST_FIRST> {
    /// Reads all children of many parents, the children of each parent in the order of the relation, by commands of 100
    /// parents, four at a time. Parents are documents, `_id`s, or [`Ref`](crate::Ref)s. All children come into memory;
    /// [`first`](Children::first) reads some children of each parent.
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
        C: OwnDocument,
    {
        self.load_each(db, ids_of(parents))
    }

    /// Loads by `_id`s like [`load`](Children::load), also when the children may not be separate documents.
    pub(super) fn load_each<'a>(
        self,
        db: &'a impl Executor,
        parents: Result<Vec<Bson>>,
    ) -> BoxFuture<'a, Result<Loaded<P, C, T>>>
    where
        Self: 'a,
    {
        Box::pin(load::load_all(db, self.field, parents, self.fields()))
    }

    /// Finds parents by a filter or a [`Find`](crate::operation::Find), each with the children in the order of the
    /// relation. One command (`$lookup`, unwound) joins on the server, by the index of the relation:
    /// `Host::LOGMSGS.lookup(Host::F.up.eq(true)).matching(LogMsg::F.level.gte(3)).limit(5).fetch_all(&db)`.
    pub fn lookup(self, parents: impl IntoFind<P>) -> Lookup<P, C, T>
    where
        C: OwnDocument,
    {
        Lookup::referring(parents, self.field, self.fields())
    }
}

/// Returns the `_id`s of parents.
impl<P, C: Model, T, const NEWEST_FIRST: bool> Children<P, C, T, NEWEST_FIRST> {
    /// Returns the projection document of a read.
    fn fields(&self) -> Fields {
        self.fields.unwrap_or(shown_fields::<C>)
    }
}

pub(super) fn ids_of<P: Model, K>(parents: impl IntoIterator<Item: IntoId<P, K>>) -> Result<Vec<Bson>> {
    parents.into_iter().map(|parent| parent.into_id_value()).collect()
}

/// The children of one parent, to be read: nothing reaches the server until a read is awaited.
#[must_use = "nothing is read until a read is awaited"]
#[derive_where(Clone, Debug)]
pub struct ChildrenOf<P, C, T = C, const NEWEST_FIRST: bool = true> {
    relation: Children<P, C, T, NEWEST_FIRST>,
    /// The `_id` of the parent.
    #[derive_where(skip(Debug))]
    parent: Result<Bson>,
    options: Option<Arc<OperationOptions>>,
}

impl<P, C, T, const NEWEST_FIRST: bool> Configurable for ChildrenOf<P, C, T, NEWEST_FIRST> {
    fn configure(mut self, change: impl FnOnce(&mut OperationOptions)) -> Self {
        change(Arc::make_mut(self.options.get_or_insert_default()));
        self
    }
}

impl<P, C, T, const NEWEST_FIRST: bool> ChildrenOf<P, C, T, NEWEST_FIRST> {
    /// Returns the same children, without the order in the type.
    fn without_order(self) -> ChildrenOf<P, C, T> {
        ChildrenOf { relation: self.relation.without_order(), parent: self.parent, options: self.options }
    }

    /// Returns the `_id` of the parent.
    pub(crate) fn into_parent(self) -> Result<Bson> {
        self.parent
    }
}

impl<P, C: Model + OwnDocument, T, const NEWEST_FIRST: bool> ChildrenOf<P, C, T, NEWEST_FIRST> {
    /// Selects the first `count` children in the order of the relation.
    pub fn first(self, count: u32) -> First<P, C, T> {
        First::new(self.without_order(), count)
    }

    /// Selects the latest `count` children: the first children in an order that is newest first. In any other order,
    /// the call does not compile.
    pub fn latest(self, count: u32) -> First<P, C, T>
    where
        OrderOf<NEWEST_FIRST>: NewestFirst,
    {
        self.first(count)
    }

    /// Reads pages of `size` children in the order of the relation; a `size` of 0 counts as 1.
    pub fn paginate<'t>(self, size: u32) -> PageOf<'t, P, C, T> {
        Pages::new(self.without_order(), Request::first(size))
    }

    /// Reads the same children, but the server sends only the fields of `V`.
    pub fn select<V: Projection<Of = C>>(self) -> ChildrenOf<P, C, V, NEWEST_FIRST> {
        ChildrenOf { relation: self.relation.select(), parent: self.parent, options: self.options }
    }
}

impl<P: Model, C: Model + OwnDocument, T: Item, const NEWEST_FIRST: bool> ChildrenOf<P, C, T, NEWEST_FIRST> {
    /// Reads all children, in the order of the relation.
    ///
    /// # Errors
    /// Errors of the server and the network. The result contains the documents that do not fit.
    pub async fn fetch_all(self, db: &impl Executor) -> Result<Joined<T, C>> {
        one_by_one::children::<P, C>(self.field());
        load::all(db, self.name(), self.query().map(|children| children.all())).await
    }

    /// Returns the first child in the order of the relation; `None` when no child exists. One `find` of one document.
    ///
    /// # Errors
    /// [`Error::Decode`](crate::Error::Decode) when the child does not fit, and errors of the server and the network.
    pub async fn fetch_optional(self, db: &impl Executor) -> Result<Option<T>> {
        self.first(1).fetch_all(db).await?.into_first().transpose()
    }

    /// Returns the first child in the order of the relation.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) when no child exists; the other errors as
    /// [`fetch_optional`](ChildrenOf::fetch_optional).
    pub async fn fetch_one(self, db: &impl Executor) -> Result<T> {
        self.fetch_optional(db).await?.ok_or_else(|| Error::not_found(C::DEFINITION))
    }

    /// Streams all children in the order of [`fetch_all`](ChildrenOf::fetch_all). At most 2,000 children are in memory.
    ///
    /// # Errors
    /// Errors of the server and the network; the stream also returns the errors of documents that do not fit.
    pub async fn stream(self, db: &impl Executor) -> Result<Documents<T>> {
        let documents = run::stream(db, self.query().map(|children| children.all())).await?;
        Ok(Documents::new(C::DEFINITION.collection, documents))
    }

    /// Finds the children that also meet a condition: a [`Find`] with its sort, limit and pages. Without a sort, the
    /// children are in the order of the relation. An index finds the children of the parent, and the server checks the
    /// condition on each child.
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "customers")]
    /// # #[inverse(orders = Order::customer)]
    /// # struct Customer { #[serde(rename = "_id")] id: ObjectId, name: String }
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "orders")]
    /// # struct Order {
    /// #     #[serde(rename = "_id")] id: ObjectId, total: i64,
    /// #     #[relation(one_to_many, parent_ref)] customer: Ref<Customer>,
    /// # }
    /// # async fn example(db: &Database, customer: &Customer) -> Result<()> {
    /// let large = customer.orders().filter(Order::F.total.gte(1_000)).sort(Order::F.total.desc()).limit(20);
    /// let large = large.fetch_all(db).await?;
    /// # drop(large); Ok(())
    /// # }
    /// ```
    pub fn filter(self, filter: Filter<C>) -> Find<C, T> {
        let (query, keys) = match self.query().map(|children| children.unsorted()) {
            Ok((query, keys)) => (Ok(query), keys),
            Err(error) => (Err(error), Vec::new()),
        };
        Find::of_query(query, keys, filter)
    }

    /// Finds all children in the order of these keys, as [`filter`](ChildrenOf::filter) with a sort. Without an index
    /// that gives the order, the server sorts in memory.
    pub fn sort(self, keys: impl SortKeys<C>) -> Find<C, T>
    where
        T: Record,
    {
        self.filter(Filter::all()).sort(keys)
    }

    /// Counts the children.
    ///
    /// # Errors
    /// Errors of the server and the network.
    pub async fn count(self, db: &impl Executor) -> Result<u64> {
        run::count(db, self.query().map(|children| children.paged())).await
    }

    /// Returns whether a child exists, by one `find` of one `_id`.
    ///
    /// # Errors
    /// Errors of the server and the network.
    pub async fn exists(self, db: &impl Executor) -> Result<bool> {
        run::exists(db, self.query().map(|children| children.paged())).await
    }

    /// Returns the distinct values of a field in all children, as [`Find::distinct`](crate::operation::Find::distinct)
    /// does.
    ///
    /// # Errors
    /// [`Error::Decode`](crate::Error::Decode) when a value does not fit the type of the field, and errors of the
    /// server and the network.
    pub fn distinct<'e, F>(self, db: &'e impl Executor, field: F) -> BoxFuture<'e, Result<Vec<DistinctOf<F>>>>
    where
        F: Token<Model = C, Class: Distinct<F::Value>> + 'e,
        DistinctOf<F>: DeserializeOwned + 'e,
    {
        let _ = field;
        let query = self.query().map(|children| children.paged());
        Box::pin(read::distinct::<C, F>(db, query))
    }

    pub(super) fn query(&self) -> Result<ChildrenQuery> {
        let (field, fields) = (self.relation.field, self.relation.fields());
        let query = ChildrenQuery::new(C::DEFINITION, field, self.parent.clone()?, fields);
        Ok(query.with(self.options.clone()))
    }

    /// Returns the Rust name of the field of the children that stores the relation.
    pub(super) fn field(&self) -> &'static str {
        self.relation.field
    }

    fn name(&self) -> Name {
        Name::new(C::DEFINITION, self.relation.field)
    }
}

impl<P: Model, C: Model + OwnDocument, T: Item, const NEWEST_FIRST: bool> ToMongosh
    for ChildrenOf<P, C, T, NEWEST_FIRST>
{
    fn command(&self) -> Result<Document> {
        self.query().map(|children| children.all().into_command())
    }
}

impl<P: Model, C: Model + OwnDocument, T: Item, const NEWEST_FIRST: bool> Explain
    for ChildrenOf<P, C, T, NEWEST_FIRST>
{
}
