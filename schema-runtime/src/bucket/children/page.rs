//! Pages of the children of one parent, whatever buckets they are in.

use std::{fmt, marker::PhantomData};

use futures_util::future::BoxFuture;
use mongodb::bson::{Document, RawDocument};

use super::{asked::Asked, handle::name};
use crate::{
    bucket::{Bucketed, layout::ITEMS},
    error::Result,
    executor::Executor,
    explain::Explain,
    join::{Item, Joined},
    model::{Projection, all_fields},
    page::{Order, Page, PageToken, Request},
    read::{self, Query, Unwind},
};

/// A page of the children of one parent in the order of their buckets, to be read. A page is found by the place where the one beside it ended: the
/// bucket, and in it the value of the order and the `_id`. So the hundredth costs what the first does, and children that come or go between two pages
/// neither repeat nor hide others. [`compact`](Bucketed::compact) between two pages may move a child from one that is to come to one that was read.
///
/// Without a place it is the first page.
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

    /// The page after this place, which an earlier page gave as [`next`](Page::next); `None` changes nothing.
    pub fn after(self, token: impl Into<Option<&'t PageToken>>) -> Self {
        PageInBuckets { request: self.request.after(token.into()), ..self }
    }

    /// The page before this place, which an earlier page gave as [`previous`](Page::previous); `None` changes nothing. Its
    /// children are in the same order as on every other page: the last of them stands right before the place.
    pub fn before(self, token: impl Into<Option<&'t PageToken>>) -> Self {
        PageInBuckets { request: self.request.before(token.into()), ..self }
    }

    /// The last page, with as many children as the others.
    pub fn last(self) -> Self {
        PageInBuckets { request: self.request.last(), ..self }
    }

    /// The same, but the server sends the fields of `V` only, and those of the order.
    pub fn select<V: Projection<Of = C>>(self) -> PageInBuckets<'t, C, V> {
        let asked = Asked { fields: all_fields::<V>, ..self.asked };
        PageInBuckets { asked, request: self.request, types: PhantomData }
    }

    /// The page, by one `aggregate`, which reads the buckets that it is in and ends one child after it.
    ///
    /// # Errors
    /// [`Error::PageToken`](crate::Error::PageToken) when the token belongs to another parent, model, day or hour,
    /// [`Error::Query`](crate::Error::Query) when the page has two places, and those of the server and the network.
    /// Children that do not fit are in the result.
    pub fn fetch<'e>(self, db: &'e impl Executor) -> BoxFuture<'e, Result<Page<Joined<T, C>>>>
    where
        Self: 'e,
    {
        let db: &dyn Executor = db;
        Box::pin(async move {
            let layout = self.asked.layout;
            let decode = |collection: &str, row: &RawDocument| read::decode(collection, &layout.child_in(row)?);
            let page = self.request.fetch_as(db, paged(&self.asked), decode).await?;
            Ok(page.map(|items| Joined::of_query(name::<C>(), items)))
        })
    }
}

/// The children of the buckets, and their order.
fn paged(asked: &Asked) -> Result<(Query, Order)> {
    let of_buckets = asked.layout.page_order();
    let keys = of_buckets.len();
    let of_items = asked.layout.item_order().into_iter().map(|(name, _)| format!("{ITEMS}.{name}"));
    let order = of_buckets.into_iter().map(str::to_owned).chain(of_items).map(|path| (path, false)).collect();
    let mut query = Query::new(asked.layout.collection(), Document::new());
    query.unwind = Some(Unwind { array: ITEMS, keys, filter: asked.filter()? });
    query.projection = asked.layout.projection(&(asked.fields)());
    Ok((query, Order { keys: order }))
}

impl<C: Bucketed, T: Item> Explain for PageInBuckets<'_, C, T> {
    async fn explain(&self, db: &impl Executor) -> Result<Document> {
        self.request.explain(db, paged(&self.asked)).await
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
