//! One page, and where its neighbours are.

use super::PageToken;
use crate::error::Result;

/// One page of a query: `items` in the query's order, whichever way the pages are read.
///
/// A relation's items are a [`Joined`](crate::join::Joined), those of a [`Find`](crate::operation::Find) a `Vec`.
#[derive(Clone, Debug)]
pub struct Page<I> {
    /// The documents.
    pub items: I,
    /// What the next page comes after; `None` when this is the last, as far as is known.
    pub next: Option<PageToken>,
    /// What the previous page comes before; `None` when this is the first, as far as is known.
    pub previous: Option<PageToken>,
}

impl<I> Page<I> {
    /// Whether there is a page after this one. Of a page that was read backward this is what was known of the place that it
    /// was read from: the documents there may be gone, and the next page empty.
    pub fn has_next(&self) -> bool {
        self.next.is_some()
    }

    /// Whether there is a page before this one. Of a page that was read forward from a place this is what was known of it.
    pub fn has_previous(&self) -> bool {
        self.previous.is_some()
    }

    /// The same page with other items.
    pub(crate) fn map<J>(self, change: impl FnOnce(I) -> J) -> Page<J> {
        Page { items: change(self.items), next: self.next, previous: self.previous }
    }
}

impl<T> Page<Vec<Result<T>>> {
    /// The same page, if each document fits.
    pub(crate) fn all(self) -> Result<Page<Vec<T>>> {
        Ok(Page { items: self.items.into_iter().collect::<Result<_>>()?, next: self.next, previous: self.previous })
    }
}

impl<T> Page<Vec<T>> {
    /// The documents, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

impl<I: IntoIterator> IntoIterator for Page<I> {
    type Item = I::Item;
    type IntoIter = I::IntoIter;

    fn into_iter(self) -> I::IntoIter {
        self.items.into_iter()
    }
}

impl<'a, I> IntoIterator for &'a Page<I>
where
    &'a I: IntoIterator,
{
    type Item = <&'a I as IntoIterator>::Item;
    type IntoIter = <&'a I as IntoIterator>::IntoIter;

    fn into_iter(self) -> Self::IntoIter {
        (&self.items).into_iter()
    }
}
