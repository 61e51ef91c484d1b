//! A page before the read: the read of the whole, and the place of the page.

use super::{PageToken, Request};
use crate::executor::{Configurable, OperationOptions};

/// A page of the results of a read `R`, before the page is read. A page starts at the place where the adjacent page
/// ended, never by a skip: the hundredth page costs as much as the first page, and documents that come or go between
/// two pages neither repeat nor hide other documents.
///
/// Without a place, the page is the first page. See [the page `pages`](crate::guide).
#[must_use = "nothing is read until a read is awaited"]
#[derive(Clone, Debug)]
pub struct Pages<'a, R> {
    pub(crate) read: R,
    pub(crate) request: Request<'a>,
}

impl<R: Configurable> Configurable for Pages<'_, R> {
    fn configure(self, change: impl FnOnce(&mut OperationOptions)) -> Self {
        Pages { read: self.read.configure(change), ..self }
    }
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

impl<R: Counted> Pages<'_, R> {
    /// Also counts the documents of the whole read, by a second command: [`Page::total`](crate::Page::total). The count
    /// is exact at the moment of the command, and reads a key for each document that matches. Where an approximate
    /// number is enough, [`total_up_to`](Pages::total_up_to) costs less.
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "posts")]
    /// # struct Post { #[serde(rename = "_id")] id: ObjectId }
    /// # async fn example(db: &Database) -> Result<()> {
    /// let page = Post::find(Filter::all()).sort(Post::F.id.desc()).paginate(20).with_total().fetch(db).await?;
    /// println!("{} of {:?}, on {:?} pages", page.len(), page.total, page.number_of_pages(20));
    /// # Ok(())
    /// # }
    /// ```
    pub fn with_total(self) -> Self {
        Pages { request: self.request.total(0), ..self }
    }

    /// Also counts the documents of the whole read, but at most `most`: the server stops to count there, and a total of
    /// `most` means "`most` or more". 0 counts as 1.
    pub fn total_up_to(self, most: u64) -> Self {
        Pages { request: self.request.total(most.max(1)), ..self }
    }

    /// Selects the page with this number, from 1 on, by a skip; `None` changes nothing, and 0 counts as 1.
    ///
    /// The server walks over all documents before the page: the hundredth page costs a hundred times as much as the
    /// first page, and documents that come or go between two pages repeat or hide documents. A page that skips more
    /// than 1,000 documents is a `WARN` event. The page has the places of the adjacent pages, so that
    /// [`after`](Pages::after) reads on. A page with a number and a place is [`Error::Query`](crate::Error::Query).
    pub fn page_number(self, number: impl Into<Option<u64>>) -> Self {
        Pages { request: self.request.number(number.into()), ..self }
    }
}

/// A read whose pages have a number and a total: each read of documents of a collection.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "these pages have no number and no total",
    label = "this is no read of the documents of a collection",
    note = "help: read the pages by `after`; documents of a collection, found by `find` or as the children of a parent, have pages with a number and a total"
)]
pub trait Counted {}
