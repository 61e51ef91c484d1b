//! Pages of the children of a parent.

use std::fmt;

use mongodb::bson::Document;

use super::ChildrenOf;
use crate::{
    error::Result,
    executor::Executor,
    explain::Explain,
    join::{Item, Joined, load, query::ChildrenQuery},
    model::{Model, OwnDocument, Projection},
    page::{Page, PageToken, Request},
};

/// A page of the children of a parent in the order of the relation, to be read. A page starts at the place where the
/// neighbouring page ended, never by a skip: the hundredth page costs as much as the first page, and children that come
/// or go between two pages neither repeat nor hide other children.
///
/// Without a place, the page is the first page. See [the manual](crate::manual::pages).
#[must_use = "nothing is read until it is awaited"]
pub struct PageOf<'t, P, C, T = C> {
    children: ChildrenOf<P, C, T>,
    request: Request<'t>,
}

impl<'t, P, C, T> PageOf<'t, P, C, T> {
    pub(super) fn new(children: ChildrenOf<P, C, T>, size: u32) -> Self {
        PageOf { children, request: Request::first(size) }
    }

    /// Selects the page after this place, which an earlier page gave as [`next`](Page::next); `None` changes nothing.
    pub fn after(self, token: impl Into<Option<&'t PageToken>>) -> Self {
        PageOf { request: self.request.after(token.into()), ..self }
    }

    /// Selects the page before this place, which an earlier page gave as [`previous`](Page::previous); `None` changes
    /// nothing. The children are in the same order as on every page: the last child stands right before the place.
    pub fn before(self, token: impl Into<Option<&'t PageToken>>) -> Self {
        PageOf { request: self.request.before(token.into()), ..self }
    }

    /// Selects the last page, with as many children as the other pages.
    pub fn last(self) -> Self {
        PageOf { request: self.request.last(), ..self }
    }

    /// Reads the same children, but the server sends only the fields of `V` and of the order.
    pub fn select<V: Projection<Of = C>>(self) -> PageOf<'t, P, C, V>
    where
        C: Model + OwnDocument,
    {
        PageOf { children: self.children.select(), request: self.request }
    }
}

impl<P: Model, C: Model + OwnDocument, T: Item> PageOf<'_, P, C, T> {
    /// Reads the page, by a query that ends one key after the page in the index of the relation.
    ///
    /// # Errors
    /// [`Error::PageToken`](crate::Error::PageToken) when the token belongs to another parent, relation or order,
    /// [`Error::Query`](crate::Error::Query) when the page has two places, and errors of the server and the network.
    /// The result contains the documents that do not fit.
    pub async fn fetch(self, db: &impl Executor) -> Result<Page<Joined<T, C>>> {
        load::page(db, self.children.name(), self.children.query(), self.request).await
    }
}

impl<P: Model, C: Model + OwnDocument, T: Item> Explain for PageOf<'_, P, C, T> {
    async fn explain(&self, db: &impl Executor) -> Result<Document> {
        self.request.explain(db, self.children.query().map(ChildrenQuery::into_paged)).await
    }
}

impl<P, C, T> Clone for PageOf<'_, P, C, T> {
    fn clone(&self) -> Self {
        PageOf { children: self.children.clone(), request: self.request }
    }
}

impl<P, C, T> fmt::Debug for PageOf<'_, P, C, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("PageOf").field(&self.children).field(&self.request).finish()
    }
}
