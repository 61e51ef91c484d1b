//! Which page is asked for, and the asking.

use std::ops::ControlFlow;

use serde::de::DeserializeOwned;

use super::{Order, Page, PageToken, keyset, token::query_id};
use crate::{
    error::{Error, Result},
    executor::Context,
    field,
    read::{self, Query},
};

/// A page: its size and its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request<'a> {
    size: u32,
    after: Option<&'a PageToken>,
    before: Option<&'a PageToken>,
    last: bool,
}

impl<'a> Request<'a> {
    /// The first page; a `size` of 0 counts as 1, as a page of none would never end.
    pub(crate) fn first(size: u32) -> Self {
        Request { size: size.max(1), after: None, before: None, last: false }
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

    /// The page of `query` in an order, and one document more, which says whether there is another page on that side. A page
    /// at the end or before a place is read backward.
    pub(crate) fn query(self, mut query: Query, order: &Order) -> Result<Query> {
        if self.after.is_some() && (self.before.is_some() || self.last) {
            return Err(Error::Query { message: "a page is after a place, before one or the last, not two of them" });
        }
        let id = query_id(&query, order)?;
        let walked = if self.is_backward() { order.reversed() } else { order.clone() };
        if let Some(token) = self.after.or(self.before) {
            let beyond = keyset::after(&walked, token.values(id, order)?);
            query.filter = field::and(query.filter, beyond);
        }
        query.sort = walked.sort();
        query.also_project(order.paths());
        query.limit = u64::from(self.size) + 1;
        query.batch_size = self.size.saturating_add(2).min(i32::MAX as u32);
        Ok(query)
    }

    /// The page of `query`, in the order whichever way it is read.
    pub(crate) async fn fetch<T: DeserializeOwned + Send>(
        self,
        context: &Context,
        query: Query,
        order: &Order,
    ) -> Result<Page<Vec<Result<T>>>> {
        let (id, collection) = (query_id(&query, order)?, query.collection);
        let query = self.query(query, order)?;
        let mut items = Vec::new();
        // The first and the last document that are read.
        let (mut near, mut far, mut more) = (None, None, false);
        let visit = |document: &_| {
            if items.len() == self.size as usize {
                more = true;
                return Ok(ControlFlow::Break(()));
            }
            items.push(read::decode(collection, document));
            if items.len() == 1 && (self.after.is_some() || self.before.is_some()) {
                near = Some(PageToken::of(id, order, document)?);
            }
            if items.len() == self.size as usize {
                far = Some(PageToken::of(id, order, document));
            }
            Ok(ControlFlow::Continue(()))
        };
        query.for_each(context, visit).await?;
        let far = far.filter(|_| more).transpose()?;
        if self.is_backward() {
            items.reverse();
            return Ok(Page { items, next: near, previous: far });
        }
        Ok(Page { items, next: far, previous: near })
    }

    fn is_backward(&self) -> bool {
        self.last || self.before.is_some()
    }
}
