//! Requests for a page, and the read of a page.

use std::ops::ControlFlow;

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, RawDocument};
use serde::de::DeserializeOwned;

use super::{Order, Page, PageToken, keyset, token::query_id};
use crate::{
    error::{Error, Result},
    executor::Executor,
    field::{self, Record},
    limits::SKIPPED_DOCUMENTS,
    read::{self, Query},
};

/// A requested page: the size and the place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request<'a> {
    size: u32,
    after: Option<&'a PageToken>,
    before: Option<&'a PageToken>,
    last: bool,
    /// The number of the page, from 1 on; `None` for a page that is found by a place.
    number: Option<u64>,
    /// The most documents that are counted for the total, 0 for all; `None` without a total.
    total: Option<u64>,
}

impl<'a> Request<'a> {
    /// Requests the first page; a `size` of 0 counts as 1, since pages without documents would never end.
    pub(crate) fn first(size: u32) -> Self {
        Request { size: size.max(1), after: None, before: None, last: false, number: None, total: None }
    }

    pub(crate) fn after(self, token: Option<&'a PageToken>) -> Self {
        Request { after: token.or(self.after), ..self }
    }

    pub(crate) fn before(self, token: Option<&'a PageToken>) -> Self {
        Request { before: token.or(self.before), ..self }
    }

    pub(crate) fn last(self) -> Self {
        Request { last: true, ..self }
    }

    /// Requests the page with this number, from 1 on; 0 counts as 1.
    pub(super) fn number(self, number: Option<u64>) -> Self {
        Request { number: number.map(|number| number.max(1)).or(self.number), ..self }
    }

    /// Requests the number of documents of the whole read, at most `most`; 0 for all.
    pub(super) fn total(self, most: u64) -> Self {
        Request { total: Some(most), ..self }
    }

    /// Returns the query of the page in an order, for one document more than the page: the additional document shows
    /// that another page follows on that side. A page at the end or before a place is read backward.
    pub(crate) fn query(self, mut query: Query, order: &Order) -> Result<Query> {
        self.check()?;
        query.refuse_text_id()?;
        let id = query_id(&query, order)?;
        let walked = if self.is_backward() { order.reversed() } else { order.clone() };
        if let Some(token) = self.after.or(self.before) {
            let beyond = keyset::after(&walked, token.values(id, order)?);
            query.filter = field::and(query.filter, beyond);
        }
        query.sort = walked.sort();
        query.also_project(order.paths());
        query.skip = self.skipped()?;
        query.limit = u64::from(self.size) + 1;
        query.batch_size = self.size.saturating_add(2).min(i32::MAX as u32);
        Ok(query)
    }

    /// Returns the values of the place where a page of the query `id` begins, for a read with a separate way to the
    /// place.
    ///
    /// # Errors
    /// The errors of [`query`](Request::query).
    pub(crate) fn place(&self, id: u64, order: &Order) -> Result<Option<&'a [Bson]>> {
        self.check()?;
        self.after.or(self.before).map(|token| token.values(id, order)).transpose()
    }

    /// Returns the number of documents to read from the place: one more than the page has.
    pub(crate) fn wanted(&self) -> usize {
        self.size as usize + 1
    }

    /// Makes the page from the documents of such a read, in the order of the read; `place_of` returns the place of a
    /// document.
    pub(crate) fn answer<T>(
        self,
        id: u64,
        mut read: Vec<T>,
        place_of: impl Fn(&[T], usize) -> Vec<Bson>,
    ) -> Result<Page<Vec<T>>> {
        let token = |read: &[T], at| PageToken::at(id, place_of(read, at));
        let size = self.size as usize;
        let far = (read.len() > size).then(|| token(&read, size - 1)).transpose()?;
        read.truncate(size);
        let is_beside = self.after.is_some() || self.before.is_some();
        let near = (is_beside && !read.is_empty()).then(|| token(&read, 0)).transpose()?;
        if self.is_backward() {
            read.reverse();
            return Ok(Page { items: read, next: near, previous: far, total: None });
        }
        Ok(Page { items: read, next: far, previous: near, total: None })
    }

    /// Reads the page of a query; the items are in the query's order, in both directions of reading.
    pub(crate) async fn fetch<T: Record + DeserializeOwned + Send>(
        self,
        db: &dyn Executor,
        paged: Result<(Query, Order)>,
    ) -> Result<Page<Vec<Result<T>>>> {
        self.fetch_as(db, paged, read::decode).await
    }

    /// Reads the page of a query; `decode` reads each document, with the name of the collection.
    pub(crate) async fn fetch_as<T: Send>(
        self,
        db: &dyn Executor,
        paged: Result<(Query, Order)>,
        decode: impl Fn(&str, &RawDocument) -> Result<T> + Send + Sync,
    ) -> Result<Page<Vec<Result<T>>>> {
        let mut items = Vec::new();
        let mut visit = |collection: &str, document: &RawDocument| items.push(decode(collection, document));
        let page = self.read(db, paged, &mut visit).await?;
        if self.is_backward() {
            items.reverse();
        }
        Ok(page.map(|()| items))
    }

    /// Hands the documents of the page to `visit` in the order of the read, with the collection, and returns the places
    /// of the adjacent pages.
    fn read<'r>(
        self,
        db: &'r dyn Executor,
        paged: Result<(Query, Order)>,
        visit: &'r mut (dyn FnMut(&str, &RawDocument) + Send + 'r),
    ) -> BoxFuture<'r, Result<Page<()>>>
    where
        'a: 'r,
    {
        Box::pin(async move {
            let (mut query, order) = paged?;
            let context = query.context(db)?;
            query.options = context.options();
            let (id, collection) = (query_id(&query, &order)?, query.collection);
            let counted = self.total.map(|limit| Query { limit, ..query.clone() });
            let query = self.query(query, &order)?;
            note_skip(collection, query.skip);
            let is_beside = self.after.is_some() || self.before.is_some() || query.skip > 0;
            let size = self.size as usize;
            // The places of the first and the last document of the read.
            let (mut near, mut far, mut more, mut count) = (None, None, false, 0);
            let each = |document: &_| {
                if count == size {
                    more = true;
                    return Ok(ControlFlow::Break(()));
                }
                visit(collection, document);
                count += 1;
                if count == 1 && is_beside {
                    near = Some(PageToken::of(id, &order, document)?);
                }
                if count == size {
                    far = Some(PageToken::of(id, &order, document));
                }
                Ok(ControlFlow::Continue(()))
            };
            query.for_each(&context, each).await?;
            let far = far.filter(|_| more).transpose()?;
            let (next, previous) = if self.is_backward() { (near, far) } else { (far, near) };
            // A second command: a `$facet` would hold the whole page in one document, and would count without an index.
            let total = match counted {
                Some(counted) => Some(counted.count(&context).await?),
                None => None,
            };
            Ok(Page { items: (), next, previous, total })
        })
    }

    /// Returns the command of the page.
    pub(crate) fn command(self, paged: Result<(Query, Order)>) -> Result<Document> {
        paged.and_then(|(query, order)| self.query(query, &order)).map(Query::into_command)
    }

    /// Returns the number of documents before the page with a number.
    fn skipped(&self) -> Result<u64> {
        let before = self.number.unwrap_or(1) - 1;
        read::skipped(before.saturating_mul(u64::from(self.size)))
    }

    fn check(&self) -> Result<()> {
        if self.number.is_some() && (self.after.is_some() || self.is_backward()) {
            return Err(Error::Query { message: "a page with a number takes no `after`, no `before` and no `last`" });
        }
        if self.after.is_some() && (self.before.is_some() || self.last) {
            return Err(Error::Query { message: "a page with `after` takes no `before` and no `last`" });
        }
        Ok(())
    }

    pub(crate) fn is_backward(&self) -> bool {
        self.last || self.before.is_some()
    }
}

/// Reports a page number that makes the server walk over many documents.
fn note_skip(collection: &str, skipped: u64) {
    if skipped > SKIPPED_DOCUMENTS {
        tracing::warn!(
            target: "schema_runtime",
            collection,
            skipped,
            "a page number walks over all documents before the page: pages by `after` cost the same at each place"
        );
    }
}
