//! Pages of elements of embedded arrays.

use std::fmt;

use mongodb::bson::Document;

use super::FindElements;
use crate::{
    error::Result,
    executor::Executor,
    explain::Explain,
    field::Field,
    join::Item,
    model::Model,
    page::{Page, PageToken, Request},
    relation::embedded::elements::{FoundElement, decode},
};

/// A page of the matching elements, to be read. Without a place, the page is the first page. See [the
/// manual](crate::manual::pages).
#[must_use = "nothing is read until it is awaited"]
pub struct ElementsPage<'a, P, E> {
    find: FindElements<P, E>,
    request: Request<'a>,
}

impl<'a, P, E> ElementsPage<'a, P, E> {
    pub(super) fn new(find: FindElements<P, E>, size: u32) -> Self {
        ElementsPage { find, request: Request::first(size) }
    }

    /// Selects the page after this place, which an earlier page gave as [`next`](Page::next); `None` changes nothing.
    pub fn after(self, token: impl Into<Option<&'a PageToken>>) -> Self {
        ElementsPage { request: self.request.after(token.into()), ..self }
    }

    /// Selects the page before this place, which an earlier page gave as [`previous`](Page::previous); `None` changes
    /// nothing.
    pub fn before(self, token: impl Into<Option<&'a PageToken>>) -> Self {
        ElementsPage { request: self.request.before(token.into()), ..self }
    }

    /// Selects the last page, with as many elements as the other pages.
    pub fn last(self) -> Self {
        ElementsPage { request: self.request.last(), ..self }
    }
}

impl<P: Model, E: Field + Item> ElementsPage<'_, P, E> {
    /// Reads the page, by one `aggregate`.
    ///
    /// # Errors
    /// [`Error::PageToken`](crate::Error::PageToken) when the token belongs to another array, filter or order;
    /// [`Error::Query`](crate::Error::Query) when the page has two places or the read has a `skip` or a `limit`;
    /// [`Error::Decode`](crate::Error::Decode) when an element does not fit `E`; and errors of the server and the
    /// network.
    pub async fn fetch(self, db: &impl Executor) -> Result<Page<Vec<FoundElement<P, E>>>> {
        self.fetch_each(db).await?.all()
    }

    /// Reads the page; an element that does not fit `E` is an [`Error::Decode`](crate::Error::Decode) at the same
    /// position.
    ///
    /// # Errors
    /// As [`fetch`](ElementsPage::fetch), except for elements that do not fit.
    pub async fn fetch_each(self, db: &impl Executor) -> Result<Page<Vec<Result<FoundElement<P, E>>>>> {
        let array = self.find.array;
        self.request.fetch_as(db, self.find.into_paged(), |_, row| decode(array, row)).await
    }
}

impl<P: Model, E: Field + Item> Explain for ElementsPage<'_, P, E> {
    async fn explain(&self, db: &impl Executor) -> Result<Document> {
        self.request.explain(db, self.find.clone().into_paged()).await
    }
}

impl<P, E> Clone for ElementsPage<'_, P, E> {
    fn clone(&self) -> Self {
        ElementsPage { find: self.find.clone(), request: self.request }
    }
}

impl<P, E> fmt::Debug for ElementsPage<'_, P, E> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("ElementsPage").field(&self.find).field(&self.request).finish()
    }
}
