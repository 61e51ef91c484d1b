//! Pages of the children of a parent, across buckets.

use futures_util::future::BoxFuture;
use mongodb::bson::{Document, RawDocumentBuf};

use super::{
    InBuckets,
    asked::Asked,
    walk::{self, Walk},
};
use crate::{
    bucket::Bucketed,
    error::Result,
    executor::Executor,
    explain::Explain,
    join::{Item, Joined},
    model::Projection,
    mongosh::ToMongosh,
    page::{Page, Pages, Request, query_id},
    read::{self, Query},
};

/// A page of the children of a parent in the order of the buckets, to be read. The place of a page is a bucket, the
/// order value in the bucket and the `_id`. A [`compact`](Bucketed::compact) between two pages may move a child from an
/// unread page to a page already read.
pub type PageInBuckets<'t, C, T = C> = Pages<'t, InBuckets<C, T>>;

impl<'t, C: Bucketed, T: Item> Pages<'t, InBuckets<C, T>> {
    /// Reads the same children, but the server sends only the fields of `V` and of the order.
    pub fn select<V: Projection<Of = C>>(self) -> PageInBuckets<'t, C, V> {
        Pages::new(self.read.select(), self.request)
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
            let page = read(db, &self.read.asked, self.request).await?;
            Ok(page.map(|children| {
                self.read.asked.joined(children.iter().map(|child| read::decode(C::DEFINITION.collection, child)))
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

impl<C: Bucketed, T: Item> ToMongosh for Pages<'_, InBuckets<C, T>> {
    fn command(&self) -> Result<Document> {
        walk(&self.read.asked, self.request).and_then(|(_, walk)| walk.query()).map(Query::into_command)
    }
}

impl<C: Bucketed, T: Item> Explain for Pages<'_, InBuckets<C, T>> {}
