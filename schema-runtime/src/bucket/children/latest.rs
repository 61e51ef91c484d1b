//! The last children of a parent.

use std::{fmt, marker::PhantomData, ops::ControlFlow};

use futures_util::future::BoxFuture;
use mongodb::bson::{Document, RawDocument, RawDocumentBuf, doc};

use super::{asked::Asked, handle::name};
use crate::{
    bucket::{Bucketed, layout::ITEMS},
    error::Result,
    executor::Executor,
    explain::Explain,
    join::{Item, Joined},
    model::{Projection, all_fields},
    read::{self, Query, run},
};

/// The last children of one parent, the last one first, to be read.
#[must_use = "nothing is read until it is awaited"]
pub struct LatestInBuckets<C, T = C> {
    asked: Asked,
    count: u32,
    types: PhantomData<fn() -> (C, T)>,
}

impl<C: Bucketed, T: Item> LatestInBuckets<C, T> {
    pub(super) fn new(asked: Asked, count: u32) -> Self {
        LatestInBuckets { asked, count, types: PhantomData }
    }

    /// The same, but the server sends the fields of `V` only, and those of the order.
    pub fn select<V: Projection<Of = C>>(self) -> LatestInBuckets<C, V> {
        LatestInBuckets::new(Asked { fields: all_fields::<V>, ..self.asked }, self.count)
    }

    /// The children: one `find` of as many buckets as hold them when they are full, and one more where deletes have left too few in these.
    ///
    /// # Errors
    /// Those of the server and the network. Children that do not fit are in the result.
    pub fn fetch<'e>(self, db: &'e impl Executor) -> BoxFuture<'e, Result<Joined<T, C>>>
    where
        Self: 'e,
    {
        let db: &dyn Executor = db;
        Box::pin(async move {
            let children = last(db, &self.asked, self.count).await?;
            let children = children.iter().map(|child| read::decode(C::DEFINITION.collection, child));
            Ok(Joined::of_query(name::<C>(), children.collect()))
        })
    }
}

/// From the last child on, so many.
fn last<'a>(db: &'a dyn Executor, asked: &'a Asked, count: u32) -> BoxFuture<'a, Result<Vec<RawDocumentBuf>>> {
    Box::pin(async move {
        let wanted = count as usize;
        if wanted == 0 {
            return Ok(Vec::new());
        }
        let few = few(asked, count)?;
        // As many buckets as are enough where none but the last one lacks children; then all, as far as needed.
        for query in [few.clone(), Query { limit: 0, batch_size: 2 * few.limit as u32, ..few }] {
            let (limit, mut buckets, mut children) = (query.limit, 0, Vec::new());
            let mut visit = |bucket: &RawDocument| {
                buckets += 1;
                children.extend(asked.layout.children(bucket)?.into_iter().rev());
                Ok(if children.len() >= wanted { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            };
            run::each(db, Ok(query), &mut visit).await?;
            if children.len() >= wanted || buckets < limit || limit == 0 {
                children.truncate(wanted);
                return Ok(children);
            }
        }
        Ok(Vec::new())
    })
}

/// The first of the two reads.
fn few(asked: &Asked, count: u32) -> Result<Query> {
    let mut query = asked.query(true)?;
    if query.limit == 0 {
        query.limit = u64::from(count).div_ceil(asked.layout.bucket.size.max(1)) + 1;
    }
    let whole = query.projection.get(ITEMS).is_some();
    if whole && u64::from(count) < asked.layout.bucket.size {
        query.projection.insert(ITEMS, doc! { "$slice": -i64::from(count) });
    }
    Ok(query)
}

impl<C: Bucketed, T: Item> Explain for LatestInBuckets<C, T> {
    async fn explain(&self, db: &impl Executor) -> Result<Document> {
        run::explain(db, few(&self.asked, self.count)).await
    }
}

impl<C, T> Clone for LatestInBuckets<C, T> {
    fn clone(&self) -> Self {
        LatestInBuckets { asked: self.asked.clone(), count: self.count, types: PhantomData }
    }
}

impl<C, T> fmt::Debug for LatestInBuckets<C, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("LatestInBuckets").field(&self.asked).field(&self.count).finish()
    }
}
