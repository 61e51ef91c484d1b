//! A read of a collection, built before the read is sent.

mod declared;
mod having;
mod numbers;
mod page;
mod sample;
mod scored;

use std::{fmt, marker::PhantomData, sync::Arc};

use futures_util::future::BoxFuture;
use mongodb::bson::{Document, RawDocument};
use serde::de::DeserializeOwned;

pub use declared::{declared, declared_as, pages_of};
pub use having::Having;
pub use page::FindPage;
pub use scored::{FindScored, Scored};

use super::asked::asked;
use crate::{
    document::top_field,
    error::{Error, Result},
    executor::{Configurable, Executor, OperationOptions},
    explain::Explain,
    field::{Distinct, DistinctOf, Filter, Path, Record, Revealable, SCORE_KEY, SortKeys, Token, asks_place},
    model::{Model, OwnDocument, Projection, all_fields, shown_fields},
    mongosh::ToMongosh,
    page::{Order, Request, sort_by},
    read::{self, Documents, Query, run},
};

/// The documents of `M` that match a filter, read as `T`: the model itself, or a [`Projection`] of the model.
///
/// A filter whose value cannot be written as BSON is an error of the awaited method.
#[must_use = "nothing is read until `fetch_all`, `stream`, `fetch_optional`, `fetch_one`, `count`, `exists` or `distinct` is awaited"]
pub struct Find<M, T = M> {
    search: Search,
    types: PhantomData<fn() -> (M, T)>,
}

/// The search of a read, without the type of the results.
#[derive(Clone)]
struct Search {
    query: Result<Query>,
    /// The stored paths of the sort keys; `true` for descending.
    keys: Vec<(String, bool)>,
}

impl<M: Model> Find<M> {
    pub(super) fn new(filter: Filter<M>) -> Self {
        let search = Search::new::<M>(filter.into_document());
        Find { search: search.project(shown_fields::<M>()), types: PhantomData }
    }

    /// Reads the documents that a pipeline over the collection makes.
    pub(super) fn over(pipeline: Vec<Document>) -> Self {
        let search = Search::new::<M>(Ok(Document::new()));
        let search = search.project(shown_fields::<M>()).with(|query| query.over = pipeline);
        Find { search, types: PhantomData }
    }

    /// Reads the documents that a pipeline makes. The pipeline depends on the filter.
    pub(crate) fn over_what(filter: Filter<M>, pipeline: impl FnOnce(&Document) -> Result<Vec<Document>>) -> Self {
        let search = Search::new::<M>(filter.into_document());
        let mut search = search.project(shown_fields::<M>());
        search.query = search.query.and_then(|query| Ok(Query { over: pipeline(&query.filter)?, ..query }));
        Find { search, types: PhantomData }
    }

    /// Also reads a hidden field (`#[hidden]`): see [the page `hidden_fields`](crate::guide). A part of a hidden
    /// struct stands for the whole struct.
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "users")]
    /// # struct User {
    /// #     #[serde(rename = "_id")] id: ObjectId, email: String, #[hidden] password: Hidden<String>
    /// # }
    /// # async fn example(db: &Database) -> Result<()> {
    /// let user = User::find(User::F.email.eq("ada@example.com")).reveal(User::F.password).fetch_one(db).await?;
    /// assert!(user.password.is_loaded());
    /// # Ok(())
    /// # }
    /// ```
    pub fn reveal<F>(self, field: F) -> Self
    where
        F: Token<Model = M, Access: Revealable>,
    {
        let _ = field;
        let path = F::Path::NODE.join();
        let search = self.search.with(|query| drop(query.projection.remove(top_field(&path))));
        Find { search, types: PhantomData }
    }

    /// Reads only the fields of `P`; the server sends no other fields except `_id`.
    pub fn select<P: Projection<Of = M>>(self) -> Find<M, P> {
        Find { search: self.search.project(all_fields::<P>()), types: PhantomData }
    }
}

impl<M, T> Find<M, T> {
    /// Returns the filter of the read.
    pub(super) fn asked(&self) -> Result<&Document, &Error> {
        self.search.query.as_ref().map(|query| &query.filter)
    }

    /// Returns the options of the read.
    pub(crate) fn given_options(&self) -> Option<&OperationOptions> {
        self.search.query.as_ref().ok()?.options.as_deref()
    }

    /// Returns the query that is sent.
    pub(crate) fn into_query(self) -> Result<Query> {
        self.search.query
    }
}

impl<M: Model, T> Find<M, T> {
    /// Reads the documents of a query that another part of this crate has made: the documents that also meet `filter`,
    /// in the order of these stored paths (`true` for descending).
    pub(crate) fn of_query(query: Result<Query>, keys: Vec<(String, bool)>, filter: Filter<M>) -> Self {
        let query = query.map(|query| Query { asked: Some(asked::<M>()), ..query });
        let search = Search { query, keys: Vec::new() };
        Find { search: search.sort(keys).and(filter), types: PhantomData }
    }
}

/// A source of documents of `M`: a filter, or a [`Find`] with its sort and limit.
#[diagnostic::on_unimplemented(
    message = "this finds no documents of `{M}`",
    label = "this has the type `{Self}`",
    note = "help: write a filter of `{M}`, as `{M}::F.name.eq(..)`, or a read of `{M}`, as `{M}::find(..).limit(20)`"
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

impl<M: Model, T: Record + DeserializeOwned + Send + 'static> Find<M, T> {
    /// Sorts by keys, as `[Person::F.name.asc(), Person::F.age.desc()]`: by the second key where the first key is
    /// equal. A single key needs no brackets. The keys take the place of the keys of an earlier call. Without an index
    /// that gives the order, the server sorts in memory.
    pub fn sort(self, keys: impl SortKeys<M>) -> Self {
        let keys = keys.into_paths();
        Find { search: self.search.sort(keys), ..self }
    }

    /// Returns pages of `size` documents in the order of [`sort`](Find::sort). Equal documents, and all documents
    /// without a sort, are in the order of `_id`. A `size` of 0 counts as 1. A page without a sort of a read by
    /// [`near`](crate::field::QueryOperators::near) is [`Error::Query`].
    pub fn paginate<'a>(self, size: u32) -> FindPage<'a, M, T> {
        FindPage::new(self, Request::first(size))
    }

    /// Adds a condition that the documents must also meet. An index serves the read as before; the server checks the
    /// added condition on each document that the index finds.
    pub fn filter(self, filter: Filter<M>) -> Self {
        Find { search: self.search.and(filter), ..self }
    }

    /// Limits the number of documents; 0 means all documents.
    pub fn limit(self, limit: u32) -> Self {
        Find { search: self.search.limit(limit), ..self }
    }

    /// Skips the first `skip` documents. The server walks over the skipped documents: [`paginate`](Find::paginate) does
    /// not.
    pub fn skip(self, skip: u64) -> Self {
        Find { search: self.search.skip(skip), ..self }
    }

    /// Returns all documents that match, in the order of the server.
    ///
    /// # Errors
    /// [`Error::Decode`] when a document does not fit `T`; [`fetch_each`](Find::fetch_each) also returns the documents
    /// that fit.
    pub async fn fetch_all(self, db: &impl Executor) -> Result<Vec<T>> {
        let decode = |document: &RawDocument| read::decode(M::DEFINITION.collection, document);
        run::all(db, self.search.in_whole_replies(), decode).await
    }

    /// Returns all documents that match, in the order of the server; a document that does not fit `T` becomes an
    /// [`Error::Decode`] in the place of the document.
    ///
    /// # Errors
    /// The errors of the driver.
    pub async fn fetch_each(self, db: &impl Executor) -> Result<Vec<Result<T>>> {
        let decode = |document: &RawDocument| Ok(read::decode(M::DEFINITION.collection, document));
        run::all(db, self.search.in_whole_replies(), decode).await
    }

    /// Streams all documents that match, in the order of the server. The stream holds one reply of the server at a
    /// time: 1,000 documents and 16 MB at most. A document that does not fit `T` is an [`Error::Decode`], and the
    /// stream goes on; an error of the driver is the last item.
    ///
    /// # Errors
    /// The errors of the driver, for the first reply.
    pub async fn stream(self, db: &impl Executor) -> Result<Documents<T>> {
        Ok(Documents::new(M::DEFINITION.collection, run::stream(db, self.search.query).await?))
    }

    /// Returns one document that matches; `None` when no document matches.
    ///
    /// # Errors
    /// [`Error::Decode`] when the document does not fit `T`.
    pub fn fetch_optional(self, db: &impl Executor) -> impl Future<Output = Result<Option<T>>> + Send {
        read::decoded(M::DEFINITION.collection, run::first(db, self.search.in_whole_replies()))
    }

    /// Returns one document that matches.
    ///
    /// # Errors
    /// [`Error::NotFound`] when no document matches; [`Error::Decode`] when the document does not fit `T`.
    pub async fn fetch_one(self, db: &impl Executor) -> Result<T> {
        self.fetch_optional(db).await?.ok_or_else(|| Error::not_found(M::DEFINITION))
    }

    /// Returns the number of documents that match, counted by the server, with `skip` and `limit`.
    ///
    /// # Errors
    /// The errors of the driver.
    pub fn count(self, db: &impl Executor) -> impl Future<Output = Result<u64>> + Send {
        run::count(db, self.search.query)
    }

    /// Returns whether a document matches, by a `find` of a single `_id`; with `skip`, whether more than `skip`
    /// documents match.
    ///
    /// # Errors
    /// The errors of the driver.
    pub fn exists(self, db: &impl Executor) -> impl Future<Output = Result<bool>> + Send {
        run::exists(db, self.search.query)
    }

    /// Returns the distinct values of a field in all documents that match, in no order, by one `distinct` command. An
    /// array field has the values of its elements. A stored null is a value; an absent field has no value.
    ///
    /// # Errors
    /// [`Error::Decode`] when a value does not fit the field's type, [`Error::Query`] with a `skip` or a `limit`, and
    /// the errors of the driver: the server refuses values of more than 16 MB.
    pub fn distinct<'a, F>(self, db: &'a impl Executor, field: F) -> BoxFuture<'a, Result<Vec<DistinctOf<F>>>>
    where
        F: Token<Model = M, Class: Distinct<F::Value>> + 'a,
        DistinctOf<F>: DeserializeOwned + 'a,
    {
        let _ = field;
        // The future is boxed: with an `impl Future`, rustc would report a field of another model three times.
        Box::pin(read::distinct::<M, F>(db, self.search.query))
    }
}

impl Search {
    fn new<M: Model>(filter: Result<Document>) -> Self {
        let query = |filter| Query { asked: Some(asked::<M>()), ..Query::new(M::DEFINITION.collection, filter) };
        Search { query: filter.map(query), keys: Vec::new() }
    }

    fn project(self, projection: Document) -> Self {
        self.with(|query| query.projection = projection)
    }

    fn sort(self, keys: Vec<(String, bool)>) -> Self {
        let sort = sort_by(&keys);
        Search { keys, ..self.with(|query| query.sort = sort) }
    }

    /// Adds a condition that the documents must also meet.
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

    /// Returns the query and the order, with `_id` as the last sort key; without a sort, the order of `_id`.
    fn into_paged(self) -> Result<(Query, Order)> {
        let query = self.query?;
        if query.sample > 0 {
            return Err(Error::Query {
                message: "each page would be of another sample: remove `sample`, or read the sample whole",
            });
        }
        if query.skip > 0 || query.limit > 0 {
            return Err(Error::Query { message: "a page sets the size and the place: remove `skip` and `limit`" });
        }
        if self.keys.iter().any(|(path, _)| path == SCORE_KEY) {
            return Err(Error::Query {
                message: "the server does not continue behind a score: read the best documents with `limit`",
            });
        }
        if self.keys.is_empty() && asks_place(&query.filter) {
            return Err(Error::Query {
                message: "a page without a sort is in the order of `_id`, and `near` gives the nearest first: read the \
                          nearest documents with `limit`, or add a `sort`",
            });
        }
        Ok((query, Order::new(self.keys, false)))
    }
}

impl<M, T> Configurable for Find<M, T> {
    fn configure(self, change: impl FnOnce(&mut OperationOptions)) -> Self {
        let search = self.search.with(|query| change(Arc::make_mut(query.options.get_or_insert_default())));
        Find { search, ..self }
    }
}

impl<M: Model, T: Record + DeserializeOwned + Send + 'static> ToMongosh for Find<M, T> {
    fn command(&self) -> Result<Document> {
        self.search.query.clone().map(Query::into_command)
    }
}

impl<M: Model, T: Record + DeserializeOwned + Send + 'static> Explain for Find<M, T> {}

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
