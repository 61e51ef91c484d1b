//! A page before the read: the read of the whole, and the place of the page.

use super::{PageToken, Request};

/// A page of the results of a read `R`, before the page is read. A page starts at the place where the neighbouring page
/// ended, never by a skip: the hundredth page costs as much as the first page, and documents that come or go between
/// two pages neither repeat nor hide other documents.
///
/// Without a place, the page is the first page. See [the manual](crate::manual::pages).
#[must_use = "nothing is read until a read is awaited"]
#[derive(Clone, Debug)]
pub struct Pages<'a, R> {
    pub(crate) read: R,
    pub(crate) request: Request<'a>,
}

impl<'a, R> Pages<'a, R> {
    pub(crate) fn new(read: R, request: Request<'a>) -> Self {
        Pages { read, request }
    }

    /// Selects the page after this place, which an earlier page gave as [`next`](crate::Page::next); `None` changes
    /// nothing.
    pub fn after(self, token: impl Into<Option<&'a PageToken>>) -> Self {
        Pages { request: self.request.after(token.into()), ..self }
    }

    /// Selects the page before this place, which an earlier page gave as [`previous`](crate::Page::previous); `None`
    /// changes nothing. The order is the same as on every page: the last result stands right before the place.
    pub fn before(self, token: impl Into<Option<&'a PageToken>>) -> Self {
        Pages { request: self.request.before(token.into()), ..self }
    }

    /// Selects the last page, with as many results as the other pages.
    pub fn last(self) -> Self {
        Pages { request: self.request.last(), ..self }
    }
}
