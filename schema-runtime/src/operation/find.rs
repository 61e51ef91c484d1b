//! A read of one collection, put together before it is sent.

mod declared;
mod page;

use std::{fmt, marker::PhantomData, ops::ControlFlow};

use futures_util::future::BoxFuture;
use mongodb::bson::{Document, RawDocument};
use serde::de::DeserializeOwned;

pub use declared::{declared, declared_as, pages_of};
pub use page::FindPage;

use crate::{
    error::{Error, Result},
    executor::Executor,
    explain::Explain,
    field::{Distinct, DistinctOf, Filter, SortKeyOf, Token},
    model::{Model, OwnDocument, Projection, all_fields},
    page::{Order, Request, sort_by},
    read::{self, Documents, Query, run},
};

/// The documents of `M` that match a filter, read as `T`: the model itself, or a [`Projection`] of it.
///
/// A filter whose value cannot be written as BSON is an error of the method that is awaited.
#[must_use = "nothing is read until `fetch`, `stream`, `one`, `get`, `count`, `exists` or `distinct` is awaited"]
pub struct Find<M, T = M> {
    search: Search,
    types: PhantomData<fn() -> (M, T)>,
}

/// What is read, whatever it is read into.
#[derive(Clone)]
struct Search {
    query: Result<Query>,
    /// Stored paths; `true` for descending.
    keys: Vec<(String, bool)>,
}

impl<M: Model> Find<M> {
    pub(super) fn new(filter: Filter<M>) -> Self {
        Find { search: Search::new(M::DEFINITION.collection, filter.into_document()), types: PhantomData }
    }

    /// Reads what a pipeline over the collection makes.
    pub(super) fn over(pipeline: Vec<Document>) -> Self {
        let search = Search::new(M::DEFINITION.collection, Ok(Document::new()));
        Find { search: search.with(|query| query.over = pipeline), types: PhantomData }
    }

    /// Reads what a pipeline makes, which goes by the filter.
    pub(crate) fn over_what(filter: Filter<M>, pipeline: impl FnOnce(&Document) -> Result<Vec<Document>>) -> Self {
        let mut search = Search::new(M::DEFINITION.collection, filter.into_document());
        search.query = search.query.and_then(|query| Ok(Query { over: pipeline(&query.filter)?, ..query }));
        Find { search, types: PhantomData }
    }

    /// Reads only the fields of `P`; the server sends no others, but `_id`.
    pub fn select<P: Projection<Of = M>>(self) -> Find<M, P> {
        Find { search: self.search.project(all_fields::<P>()), types: PhantomData }
    }
}

impl<M, T> Find<M, T> {
    /// What it asks for.
    pub(super) fn asked(&self) -> Result<&Document, &Error> {
        self.search.query.as_ref().map(|query| &query.filter)
    }

    /// What is sent.
    pub(crate) fn into_query(self) -> Result<Query> {
        self.search.query
    }
}

/// What finds documents of `M`: a filter, or a [`Find`] with its sort and limit.
#[diagnostic::on_unimplemented(
    message = "this finds no documents of `{M}`",
    label = "this has the type `{Self}`",
    note = "help: write a filter of that model, as `{M}::F.name.eq(..)`, or a read of it, as `{M}::find(..).limit(20)`"
)]
pub trait IntoFind<M> {
    #[doc(hidden)]
    fn into_find(self) -> Find<M>;
}

#[diagnostic::do_not_recommend]
impl<M: Model + OwnDocument> IntoFind<M> for Filter<M> {
    fn into_find(self) -> Find<M> {
        Find::new(self)
    }
}

#[diagnostic::do_not_recommend]
impl<M> IntoFind<M> for Find<M> {
    fn into_find(self) -> Find<M> {
        self
    }
}

impl<M: Model, T: DeserializeOwned + Send + 'static> Find<M, T> {
    /// In this order: `[Person::F.name.asc(), Person::F.born.desc()]`, by the second key where the first is equal; one key
    /// needs no brackets. The keys
    /// take the place of those of an earlier call. Without an index that gives the order the server sorts in its memory.
    pub fn sort<K: SortKeyOf<M>>(self, keys: impl IntoIterator<Item = K>) -> Self {
        let keys = keys.into_iter().map(|key| key.into_key().into_parts()).collect();
        Find { search: self.search.sort(keys), ..self }
    }

    /// Pages of `size` documents in the order of [`sort`](Find::sort), of equal ones and without a sort in that of `_id`; a
    /// `size` of 0 counts as 1.
    pub fn page<'a>(self, size: u32) -> FindPage<'a, M, T> {
        FindPage::new(self, Request::first(size))
    }

    /// The documents that meet this condition, too. An index serves the read as before; what the condition asks beside it is
    /// asked of each document that the index finds.
    pub fn filter(self, filter: Filter<M>) -> Self {
        Find { search: self.search.and(filter), ..self }
    }

    /// At most this many documents; 0 for all.
    pub fn limit(self, limit: u32) -> Self {
        Find { search: self.search.limit(limit), ..self }
    }

    /// Not the first `skip` documents. The server walks over them: [`page`](Find::page) does not.
    pub fn skip(self, skip: u64) -> Self {
        Find { search: self.search.skip(skip), ..self }
    }

    /// All that match, in the server's order.
    ///
    /// # Errors
    /// [`Error::Decode`] when a document does not fit `T`; [`fetch_each`](Find::fetch_each) gives the others too.
    pub async fn fetch(self, db: &impl Executor) -> Result<Vec<T>> {
        let mut documents = Vec::new();
        let mut visit = |document: &RawDocument| {
            documents.push(read::decode(M::DEFINITION.collection, document)?);
            Ok(ControlFlow::Continue(()))
        };
        run::each(db, self.search.in_whole_replies(), &mut visit).await?;
        Ok(documents)
    }

    /// All that match, in the server's order; a document that does not fit `T` is an [`Error::Decode`] in its place.
    ///
    /// # Errors
    /// Those of the driver.
    pub async fn fetch_each(self, db: &impl Executor) -> Result<Vec<Result<T>>> {
        let mut documents = Vec::new();
        let mut visit = |document: &RawDocument| {
            documents.push(read::decode(M::DEFINITION.collection, document));
            Ok(ControlFlow::Continue(()))
        };
        run::each(db, self.search.in_whole_replies(), &mut visit).await?;
        Ok(documents)
    }

    /// All that match, one after the other, in the server's order. Holds one reply of the server at a time: 1,000 documents
    /// and 16 MB at most. A document that does not fit `T` is one [`Error::Decode`] and the stream goes on; an error of the
    /// driver is the last item.
    ///
    /// # Errors
    /// Those of the driver, for the first reply.
    pub async fn stream(self, db: &impl Executor) -> Result<Documents<T>> {
        Ok(Documents::new(M::DEFINITION.collection, run::stream(db, self.search.query).await?))
    }

    /// One that matches, if there is one.
    ///
    /// # Errors
    /// [`Error::Decode`] when it does not fit `T`.
    pub fn one(self, db: &impl Executor) -> impl Future<Output = Result<Option<T>>> + Send {
        read::decoded(M::DEFINITION.collection, run::first(db, self.search.in_whole_replies()))
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
    pub fn count(self, db: &impl Executor) -> impl Future<Output = Result<u64>> + Send {
        run::count(db, self.search.query)
    }

    /// Whether a document matches, by one `find` of one `_id`; with `skip`, whether more than so many match.
    ///
    /// # Errors
    /// Those of the driver.
    pub fn exists(self, db: &impl Executor) -> impl Future<Output = Result<bool>> + Send {
        run::exists(db, self.search.query)
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
        Box::pin(read::distinct::<M, F>(db, self.search.query))
    }
}

impl Search {
    fn new(collection: &'static str, filter: Result<Document>) -> Self {
        Search { query: filter.map(|filter| Query::new(collection, filter)), keys: Vec::new() }
    }

    fn project(self, projection: Document) -> Self {
        self.with(|query| query.projection = projection)
    }

    fn sort(self, keys: Vec<(String, bool)>) -> Self {
        let sort = sort_by(&keys);
        Search { keys, ..self.with(|query| query.sort = sort) }
    }

    /// The documents that meet this condition, too.
    fn and<M>(self, filter: Filter<M>) -> Self {
        let query = self.query.and_then(|query| {
            let filter = Filter::raw(query.filter.clone()).and(filter).into_document()?;
            Ok(Query { filter, ..query })
        });
        Search { query, ..self }
    }

    fn limit(self, limit: u32) -> Self {
        self.with(|query| query.limit = limit.into())
    }

    fn skip(self, skip: u64) -> Self {
        let query = self.query.and_then(|query| Ok(Query { skip: read::skipped(skip)?, ..query }));
        Search { query, ..self }
    }

    fn with(mut self, change: impl FnOnce(&mut Query)) -> Self {
        if let Ok(query) = &mut self.query {
            change(query);
        }
        self
    }

    fn in_whole_replies(self) -> Result<Query> {
        self.query.map(|query| Query { batch_size: run::WHOLE_REPLY, ..query })
    }

    /// What is read and in which order, with `_id` as its last key; without a sort the order of `_id`.
    fn into_paged(self) -> Result<(Query, Order)> {
        let query = self.query?;
        if query.skip > 0 || query.limit > 0 {
            return Err(Error::Query { message: "a page has its own size and place: take `skip` and `limit` away" });
        }
        Ok((query, Order::new(self.keys, false)))
    }
}

impl<M: Model, T: DeserializeOwned + Send + 'static> Explain for Find<M, T> {
    async fn explain(&self, db: &impl Executor) -> Result<Document> {
        run::explain(db, self.search.query.clone()).await
    }
}

impl<M, T> Clone for Find<M, T> {
    fn clone(&self) -> Self {
        Find { search: self.search.clone(), types: PhantomData }
    }
}

impl<M, T> fmt::Debug for Find<M, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Find").field(&self.search.query).finish()
    }
}
