//! Pages of the children of one parent.

use std::fmt;

use mongodb::bson::Document;

use super::ChildrenOf;
use crate::{
    error::Result,
    executor::Executor,
    field::Projection,
    join::{Cursor, Item, Page, load},
    model::Model,
};

/// A page of the children of one parent in the relation's order, to be read. Each page is found by the place where the one
/// before it ended, never by skipping: the hundredth costs what the first does, and children that come or go between two
/// pages neither repeat nor hide others.
#[must_use = "nothing is read until it is awaited"]
pub struct PageOf<'a, P, C, T = C> {
    children: ChildrenOf<'a, P, C, T>,
    size: u32,
    after: Option<&'a Cursor>,
}

impl<'a, P, C, T> PageOf<'a, P, C, T> {
    pub(super) fn new(children: ChildrenOf<'a, P, C, T>, size: u32) -> Self {
        PageOf { children, size: size.max(1), after: None }
    }

    /// The page after this place, which an earlier page gave as [`next`](Page::next); `None` for the first.
    pub fn after(self, cursor: impl Into<Option<&'a Cursor>>) -> Self {
        PageOf { after: cursor.into(), ..self }
    }

    /// The same, but the server sends the fields of `V` only, and those of the order.
    pub fn select<V: Projection<Of = C>>(self) -> PageOf<'a, P, C, V>
    where
        C: Model,
    {
        PageOf { children: self.children.select(), size: self.size, after: self.after }
    }
}

impl<P: Model, C: Model, T: Item> PageOf<'_, P, C, T> {
    /// The page, by one query that ends one key of the relation's index after it.
    ///
    /// # Errors
    /// [`Error::Cursor`](crate::Error::Cursor) when the cursor belongs to another parent, relation or order, and those of
    /// the server and the network. Documents that do not fit are in the result.
    pub async fn fetch(self, executor: &impl Executor) -> Result<Page<T, C>> {
        load::page(&executor.context()?, &self.children.query()?, self.size, self.after).await
    }

    /// What the server would do: its answer to `explain`, with the execution's counts.
    ///
    /// # Errors
    /// Those of [`fetch`](PageOf::fetch).
    pub async fn explain(self, executor: &impl Executor) -> Result<Document> {
        self.children.query()?.page(self.size, self.after)?.explain(&executor.context()?).await
    }
}

impl<P, C, T> Clone for PageOf<'_, P, C, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P, C, T> Copy for PageOf<'_, P, C, T> {}

impl<P, C, T> fmt::Debug for PageOf<'_, P, C, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("PageOf").field(&self.children).field(&self.size).finish()
    }
}
