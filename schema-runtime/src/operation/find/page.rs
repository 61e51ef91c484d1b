//! Pages of a read of one collection.

use std::fmt;

use mongodb::bson::Document;
use serde::de::DeserializeOwned;

use super::Find;
use crate::{
    error::Result,
    executor::Executor,
    explain::Explain,
    field::Filter,
    model::Model,
    page::{Page, PageToken, Request},
};

/// A page of the documents that match, to be read. Each page is found by the place where the one beside it ended, never by
/// skipping. Without a place it is the first page. See [the manual](crate::manual::pages).
#[must_use = "nothing is read until it is awaited"]
pub struct FindPage<'a, M, T = M> {
    find: Find<M, T>,
    request: Request<'a>,
}

impl<'a, M, T> FindPage<'a, M, T> {
    pub(super) fn new(find: Find<M, T>, request: Request<'a>) -> Self {
        FindPage { find, request }
    }

    /// The page after this place, which an earlier page gave as [`next`](Page::next); `None` changes nothing.
    pub fn after(self, token: impl Into<Option<&'a PageToken>>) -> Self {
        FindPage { request: self.request.after(token.into()), ..self }
    }

    /// The page before this place, which an earlier page gave as [`previous`](Page::previous); `None` changes nothing. Its
    /// documents are in the same order as on every other page: the last of them stands right before the place.
    pub fn before(self, token: impl Into<Option<&'a PageToken>>) -> Self {
        FindPage { request: self.request.before(token.into()), ..self }
    }

    /// The documents that meet this condition, too: see [`Find::filter`].
    pub fn filter(self, filter: Filter<M>) -> Self
    where
        M: Model,
        T: DeserializeOwned + Send + 'static,
    {
        FindPage { find: self.find.filter(filter), ..self }
    }

    /// The same read without pages: to count, to stream, or to read in pages of another size.
    pub fn into_find(self) -> Find<M, T> {
        self.find
    }

    /// The last page, with as many documents as the others.
    pub fn last(self) -> Self {
        FindPage { request: self.request.last(), ..self }
    }
}

impl<M: Model, T: DeserializeOwned + Send + 'static> FindPage<'_, M, T> {
    /// The page, by one `find`. An index on the filter's fields, then the sort's, then `_id` ends it one key after the page.
    ///
    /// # Errors
    /// [`Error::PageToken`](crate::Error::PageToken) when the token belongs to another model, filter or order,
    /// [`Error::Query`](crate::Error::Query) when the page has two places or the read a `skip` or a `limit`,
    /// [`Error::Decode`](crate::Error::Decode) when a document does not fit `T`, and those of the driver.
    pub async fn fetch(self, db: &impl Executor) -> Result<Page<Vec<T>>> {
        self.fetch_each(db).await?.all()
    }

    /// The page; a document that does not fit `T` is an [`Error::Decode`](crate::Error::Decode) in its place.
    ///
    /// # Errors
    /// Those of [`fetch`](FindPage::fetch), without that of such a document.
    pub async fn fetch_each(self, db: &impl Executor) -> Result<Page<Vec<Result<T>>>> {
        self.request.fetch(db, self.find.search.into_paged()).await
    }
}

impl<M: Model, T: DeserializeOwned + Send + 'static> Explain for FindPage<'_, M, T> {
    async fn explain(&self, db: &impl Executor) -> Result<Document> {
        self.request.explain(db, self.find.search.clone().into_paged()).await
    }
}

impl<M, T> Clone for FindPage<'_, M, T> {
    fn clone(&self) -> Self {
        FindPage { find: self.find.clone(), request: self.request }
    }
}

impl<M, T> fmt::Debug for FindPage<'_, M, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("FindPage").field(&self.find).field(&self.request).finish()
    }
}
