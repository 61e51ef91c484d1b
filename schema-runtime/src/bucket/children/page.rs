//! Pages of the children of a parent, across buckets.

use std::{fmt, marker::PhantomData};

use futures_util::future::BoxFuture;
use mongodb::bson::{Document, RawDocumentBuf};

use super::{
    asked::Asked,
    walk::{self, Walk},
};
use crate::{
    bucket::Bucketed,
    error::Result,
    executor::Executor,
    explain::Explain,
    join::{Item, Joined},
    model::{Projection, all_fields},
    page::{Page, PageToken, Request, query_id},
    read::{self, Query, run},
};

/// A page of the children of a parent in the order of the buckets, to be read. A page starts at the place where the
/// neighbouring page ended: the bucket, the order value in the bucket and the `_id`. The hundredth page therefore costs
/// as much as the first page, and children that come or go between two pages neither repeat nor hide other children. A
/// [`compact`](Bucketed::compact) between two pages may move a child from an unread page to a page already read.
///
/// Without a place, the page is the first page.
#[must_use = "nothing is read until it is awaited"]
pub struct PageInBuckets<'t, C, T = C> {
    asked: Asked,
    request: Request<'t>,
    types: PhantomData<fn() -> (C, T)>,
}

impl<'t, C: Bucketed, T: Item> PageInBuckets<'t, C, T> {
    pub(super) fn new(asked: Asked, size: u32) -> Self {
        PageInBuckets { asked, request: Request::first(size), types: PhantomData }
    }

    /// Selects the page after this place, which an earlier page gave as [`next`](Page::next); `None` changes nothing.
    pub fn after(self, token: impl Into<Option<&'t PageToken>>) -> Self {
        PageInBuckets { request: self.request.after(token.into()), ..self }
    }

    /// Selects the page before this place, which an earlier page gave as [`previous`](Page::previous); `None` changes
    /// nothing. The children are in the same order as on every page: the last child stands right before the place.
    pub fn before(self, token: impl Into<Option<&'t PageToken>>) -> Self {
        PageInBuckets { request: self.request.before(token.into()), ..self }
    }

    /// Selects the last page, with as many children as the other pages.
    pub fn last(self) -> Self {
        PageInBuckets { request: self.request.last(), ..self }
    }

    /// Reads the same children, but the server sends only the fields of `V` and of the order.
    pub fn select<V: Projection<Of = C>>(self) -> PageInBuckets<'t, C, V> {
        let asked = Asked { fields: all_fields::<V>, ..self.asked };
        PageInBuckets { asked, request: self.request, types: PhantomData }
    }

    /// Reads the page: one `find` of as many full buckets as hold the page, and another `find` when deletes have left
    /// too few children in the buckets. From the bucket of the place, the server sends only the children after the
    /// place.
    ///
    /// # Errors
    /// [`Error::PageToken`](crate::Error::PageToken) when the token belongs to another parent, model, day or hour,
    /// [`Error::Query`](crate::Error::Query) when the page has two places, and errors of the server and the network.
    /// The result contains the children that do not fit.
    pub fn fetch<'e>(self, db: &'e impl Executor) -> BoxFuture<'e, Result<Page<Joined<T, C>>>>
    where
        Self: 'e,
    {
        let db: &dyn Executor = db;
        Box::pin(async move {
            let page = read(db, &self.asked, self.request).await?;
            Ok(page.map(|children| {
                self.asked.joined(children.iter().map(|child| read::decode(C::DEFINITION.collection, child)))
            }))
        })
    }
}

/// Reads the children of a page, as documents.
fn read<'a>(
    db: &'a dyn Executor,
    asked: &'a Asked,
    request: Request<'a>,
) -> BoxFuture<'a, Result<Page<Vec<RawDocumentBuf>>>> {
    Box::pin(async move {
        let (id, walk) = walk(asked, request)?;
        let mut walked = walk.read(db).await?;
        let children = std::mem::take(&mut walked.children);
        request.answer(id, children, |children, at| walked.place(&asked.layout, children, at))
    })
}

/// Returns the id of the query for a page token of these children, and the read of the page.
fn walk<'a>(asked: &'a Asked, request: Request<'a>) -> Result<(u64, Walk<'a>)> {
    let order = walk::order(asked);
    let id = query_id(&Query::new(asked.layout.collection(), asked.filter()?), &order)?;
    let place = request.place(id, &order)?;
    Ok((id, Walk { asked, backward: request.is_backward(), place, wanted: request.wanted() }))
}

impl<C: Bucketed, T: Item> Explain for PageInBuckets<'_, C, T> {
    async fn explain(&self, db: &impl Executor) -> Result<Document> {
        run::explain(db, walk(&self.asked, self.request).and_then(|(_, walk)| walk.query())).await
    }
}

impl<C, T> Clone for PageInBuckets<'_, C, T> {
    fn clone(&self) -> Self {
        PageInBuckets { asked: self.asked.clone(), request: self.request, types: PhantomData }
    }
}

impl<C, T> fmt::Debug for PageInBuckets<'_, C, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("PageInBuckets").field(&self.asked).field(&self.request).finish()
    }
}
