//! A read of one collection, put together before it is sent.

mod page;

use std::{fmt, marker::PhantomData, ops::ControlFlow};

use futures_util::future::BoxFuture;
use mongodb::bson::Document;
use serde::de::DeserializeOwned;

pub use page::FindPage;

use crate::{
    error::{Error, Result},
    executor::Executor,
    explain::Explain,
    field::{Distinct, DistinctOf, Filter, SortKeyOf, Token},
    model::{Model, Projection, all_fields},
    page::{Order, Request, sort_by},
    read::{self, Documents, Query},
};

/// The documents of `M` that match a filter, read as `T`: the model itself, or a [`Projection`] of it.
///
/// A filter whose value cannot be written as BSON is an error of the method that is awaited.
#[must_use = "nothing is read until `fetch`, `stream`, `one`, `get`, `count`, `exists` or `distinct` is awaited"]
pub struct Find<M, T = M> {
    query: Result<Query>,
    /// Stored paths; `true` for descending.
    keys: Vec<(String, bool)>,
    types: PhantomData<fn() -> (M, T)>,
}

/// More than one reply of 16 MB can hold: the server fills each reply.
const WHOLE_REPLY: u32 = 1_000_000;

impl<M: Model> Find<M> {
    pub(super) fn new(filter: Filter<M>) -> Self {
        let query = filter.into_document().map(|filter| Query::new(M::DEFINITION.collection, filter));
        Find { query, keys: Vec::new(), types: PhantomData }
    }

    /// Reads only the fields of `P`; the server sends no others, but `_id`.
    pub fn select<P: Projection<Of = M>>(self) -> Find<M, P> {
        let query = self.query.map(|query| Query { projection: all_fields::<P>(), ..query });
        Find { query, keys: self.keys, types: PhantomData }
    }
}

impl<M: Model, T: DeserializeOwned + Send + 'static> Find<M, T> {
    /// In this order: `[Person::F.name.asc(), Person::F.born.desc()]`, by the second key where the first is equal; one key
    /// needs no brackets. The keys
    /// take the place of those of an earlier call. Without an index that gives the order the server sorts in its memory.
    pub fn sort<K: SortKeyOf<M>>(mut self, keys: impl IntoIterator<Item = K>) -> Self {
        self.keys = keys.into_iter().map(|key| key.into_key().into_parts()).collect();
        let sort = sort_by(&self.keys);
        self.with(|query| query.sort = sort)
    }

    /// Pages of `size` documents in the order of [`sort`](Find::sort), of equal ones and without a sort in that of `_id`; a
    /// `size` of 0 counts as 1.
    pub fn page<'a>(self, size: u32) -> FindPage<'a, M, T> {
        FindPage::new(self, Request::first(size))
    }

    /// At most this many documents; 0 for all.
    pub fn limit(self, limit: u32) -> Self {
        self.with(|query| query.limit = limit.into())
    }

    /// Not the first `skip` documents. The server walks over them: [`page`](Find::page) does not.
    pub fn skip(self, skip: u64) -> Self {
        self.with(|query| query.skip = skip)
    }

    /// All that match, in the server's order.
    ///
    /// # Errors
    /// [`Error::Decode`] when a document does not fit `T`; [`fetch_each`](Find::fetch_each) gives the others too.
    pub async fn fetch(self, db: &impl Executor) -> Result<Vec<T>> {
        let mut documents = Vec::new();
        self.each(db, |document| {
            documents.push(document?);
            Ok(ControlFlow::Continue(()))
        })
        .await?;
        Ok(documents)
    }

    /// All that match, in the server's order; a document that does not fit `T` is an [`Error::Decode`] in its place.
    ///
    /// # Errors
    /// Those of the driver.
    pub async fn fetch_each(self, db: &impl Executor) -> Result<Vec<Result<T>>> {
        let mut documents = Vec::new();
        self.each(db, |document| {
            documents.push(document);
            Ok(ControlFlow::Continue(()))
        })
        .await?;
        Ok(documents)
    }

    /// All that match, one after the other, in the server's order. Holds one reply of the server at a time: 1,000 documents
    /// and 16 MB at most. A document that does not fit `T` is one [`Error::Decode`] and the stream goes on; an error of the
    /// driver is the last item.
    ///
    /// # Errors
    /// Those of the driver, for the first reply.
    pub async fn stream(self, db: &impl Executor) -> Result<Documents<T>> {
        self.query?.stream(&db.context()?).await
    }

    /// One that matches, if there is one.
    ///
    /// # Errors
    /// [`Error::Decode`] when it does not fit `T`.
    pub async fn one(self, db: &impl Executor) -> Result<Option<T>> {
        let mut found = None;
        self.limit(1)
            .each(db, |document| {
                found = Some(document?);
                Ok(ControlFlow::Break(()))
            })
            .await?;
        Ok(found)
    }

    /// One that matches.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is none; [`Error::Decode`] when it does not fit `T`.
    pub async fn get(self, db: &impl Executor) -> Result<T> {
        self.one(db).await?.ok_or_else(|| Error::not_found(M::DEFINITION))
    }

    /// How many match, counted by the server, with `skip` and `limit`.
    ///
    /// # Errors
    /// Those of the driver.
    pub async fn count(self, db: &impl Executor) -> Result<u64> {
        let query = self.query?;
        db.context()?.count(query.collection, query.filter, query.skip, query.limit).await
    }

    /// Whether a document matches, by one `find` of one `_id`; with `skip`, whether more than so many match.
    ///
    /// # Errors
    /// Those of the driver.
    pub async fn exists(self, db: &impl Executor) -> Result<bool> {
        self.query?.exists(&db.context()?).await
    }

    /// The distinct values of a field in all documents that match, in no order: one `distinct` command. Of an array these
    /// are its elements. Null is one of the values where it is stored; an absent field has none.
    ///
    /// # Errors
    /// [`Error::Decode`] when a value does not fit the field's type, [`Error::Query`] with a `skip` or a `limit`, and those
    /// of the driver: the server refuses values of more than 16 MB.
    pub fn distinct<'a, F>(self, db: &'a impl Executor, field: F) -> BoxFuture<'a, Result<Vec<DistinctOf<F>>>>
    where
        F: Token<Model = M, Class: Distinct<F::Value>> + 'a,
        DistinctOf<F>: DeserializeOwned + 'a,
    {
        let _ = field;
        // Boxed: of an `impl Future` rustc would tell a field of another model three times.
        let query = self.query;
        Box::pin(async move { query?.distinct::<M, F>(&db.context()?).await })
    }

    /// What is read and in which order, with `_id` as its last key; without a sort the order of `_id`.
    fn into_paged(self) -> Result<(Query, Order)> {
        let query = self.query?;
        if query.skip > 0 || query.limit > 0 {
            return Err(Error::Query { message: "a page has its own size and place: take `skip` and `limit` away" });
        }
        Ok((query, Order::new(self.keys, false)))
    }

    async fn each(
        self,
        db: &impl Executor,
        mut visit: impl FnMut(Result<T>) -> Result<ControlFlow<()>> + Send,
    ) -> Result<()> {
        let mut query = self.query?;
        query.batch_size = WHOLE_REPLY;
        let collection = query.collection;
        query.for_each(&db.context()?, |document| visit(read::decode(collection, document))).await
    }

    fn with(mut self, change: impl FnOnce(&mut Query)) -> Self {
        if let Ok(query) = &mut self.query {
            change(query);
        }
        self
    }
}

impl<M: Model, T: DeserializeOwned + Send + 'static> Explain for Find<M, T> {
    async fn explain(&self, db: &impl Executor) -> Result<Document> {
        self.query.clone()?.explain(&db.context()?).await
    }
}

impl<M, T> Clone for Find<M, T> {
    fn clone(&self) -> Self {
        Find { query: self.query.clone(), keys: self.keys.clone(), types: PhantomData }
    }
}

impl<M, T> fmt::Debug for Find<M, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Find").field(&self.query).finish()
    }
}
