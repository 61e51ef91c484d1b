//! One page, and the places of the adjacent pages.

use super::PageToken;
use crate::error::Result;

/// A page of a query: `items` in the query's order, in both directions of reading.
///
/// The items of a relation are a [`Joined`](crate::Joined), the items of a [`Find`](crate::operation::Find) a `Vec`.
#[derive(Clone, Debug)]
pub struct Page<I> {
    /// The documents.
    pub items: I,
    /// The place that the next page comes after; `None` when this page is the last, as far as is known.
    pub next: Option<PageToken>,
    /// The place that the previous page comes before; `None` when this page is the first, as far as is known.
    pub previous: Option<PageToken>,
    /// The number of documents of the whole read, without the place and the size of the page; `None` where the page is
    /// not read with a total ([`Pages::with_total`](crate::Pages::with_total)). With
    /// [`Pages::total_up_to`](crate::Pages::total_up_to), the number is at most the given bound.
    pub total: Option<u64>,
}

impl<I> Page<I> {
    /// Returns whether a page follows this page. For a page that was read backward, the answer dates from the page at
    /// which the read began: the documents after the page may be gone, and the next page may be empty.
    pub fn has_next(&self) -> bool {
        self.next.is_some()
    }

    /// Returns whether a page precedes this page. For a page that was read forward from a place, the answer dates from
    /// the page at which the read began.
    pub fn has_previous(&self) -> bool {
        self.previous.is_some()
    }

    /// Returns the number of pages of `size` documents, where the page is read with a total.
    ///
    /// ```
    /// # use schema_runtime::Page;
    /// let page = Page { items: vec!["a", "b"], next: None, previous: None, total: Some(41) };
    /// assert_eq!(page.number_of_pages(20), Some(3));
    /// ```
    pub fn number_of_pages(&self, size: u32) -> Option<u64> {
        Some(self.total?.div_ceil(u64::from(size.max(1))))
    }

    /// Returns the page with changed items.
    pub(crate) fn map<J>(self, change: impl FnOnce(I) -> J) -> Page<J> {
        Page { items: change(self.items), next: self.next, previous: self.previous, total: self.total }
    }
}

impl<T> Page<Vec<Result<T>>> {
    /// Returns the page, or the error of the first document that does not fit.
    pub(crate) fn all(self) -> Result<Page<Vec<T>>> {
        let Page { items, next, previous, total } = self;
        Ok(Page { items: items.into_iter().collect::<Result<_>>()?, next, previous, total })
    }
}

impl<T> Page<Vec<T>> {
    /// Iterates over the documents, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    /// Returns the number of documents.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Returns true when the page has no document.
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
