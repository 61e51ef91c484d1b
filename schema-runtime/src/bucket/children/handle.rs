//! The children of one parent in buckets, to be read.

use std::{fmt, marker::PhantomData, ops::ControlFlow};

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, DateTime, Document, RawDocument};
use serde::de::DeserializeOwned;

use super::{BucketStatistics, LatestInBuckets, PageInBuckets, asked::Asked, statistics};
use crate::{
    bucket::{Bucketed, ByTime, layout::Layout},
    error::Result,
    executor::Executor,
    explain::Explain,
    field::{OneValue, Path, Token, class::Numeric},
    join::{Item, Joined},
    model::{Projection, all_fields},
    read::{self, Documents, run},
};

/// The children of one parent, or those of a day, an hour or one bucket, read into `T`: nothing reaches the server until it is awaited.
#[must_use = "nothing is read until it is awaited"]
pub struct InBuckets<C, T = C> {
    asked: Asked,
    types: PhantomData<fn() -> (C, T)>,
}

impl<C: Bucketed> InBuckets<C> {
    pub(super) fn new(layout: Layout, parent: Result<Bson>) -> Self {
        InBuckets { asked: Asked::new(layout, parent), types: PhantomData }
    }
}

impl<C: Bucketed, T: Item> InBuckets<C, T> {
    /// Those of the day or the hour in which this time is.
    pub fn at(self, time: DateTime) -> Self
    where
        C: ByTime,
    {
        InBuckets { asked: Asked { time: Some(time), ..self.asked }, ..self }
    }

    /// Those of one bucket, by its number in the order of arrival, from 1 on: one document is read. There is none of a number that is not there. Where no
    /// child was deleted all buckets but the last one have as many children as a bucket holds.
    pub fn bucket(self, number: u32) -> Self {
        InBuckets { asked: Asked { number: Some(number), ..self.asked }, ..self }
    }

    /// Pages of `size` children; a `size` of 0 counts as 1.
    pub fn page<'t>(self, size: u32) -> PageInBuckets<'t, C, T> {
        PageInBuckets::new(self.asked, size)
    }

    /// The last `count` children, the last one first.
    pub fn latest(self, count: u32) -> LatestInBuckets<C, T> {
        LatestInBuckets::new(self.asked, count)
    }

    /// The same, but the server sends the fields of `V` only, and those of the order.
    pub fn select<V: Projection<Of = C>>(self) -> InBuckets<C, V> {
        InBuckets { asked: Asked { fields: all_fields::<V>, ..self.asked }, types: PhantomData }
    }

    /// All of them, by one `find`. They are as they were at one time (read concern `snapshot`), but on a standalone and where they are of one bucket.
    ///
    /// # Errors
    /// Those of the server and the network. Children that do not fit are in the result.
    pub fn fetch<'e>(self, db: &'e impl Executor) -> BoxFuture<'e, Result<Joined<T, C>>>
    where
        Self: 'e,
    {
        let db: &dyn Executor = db;
        Box::pin(async move {
            let mut children = Vec::new();
            let mut visit = |child: &RawDocument| {
                children.push(read::decode(C::DEFINITION.collection, child));
                Ok(ControlFlow::Continue(()))
            };
            self.asked.each(db, &mut visit).await?;
            Ok(self.asked.joined(children.into_iter()))
        })
    }

    /// All of them, one after another, as they were at one time (read concern `snapshot`), but on a standalone. The server keeps that time for
    /// [five minutes](https://www.mongodb.com/docs/manual/reference/parameters/#mongodb-parameter-param.minSnapshotHistoryWindowInSeconds). About
    /// 1,000 children are in memory, at least those of one bucket.
    ///
    /// # Errors
    /// Those of the server and the network; from the stream also those of children that do not fit.
    pub fn stream<'e>(self, db: &'e impl Executor) -> BoxFuture<'e, Result<Documents<T>>>
    where
        Self: 'e,
    {
        let db: &dyn Executor = db;
        Box::pin(async move { Ok(Documents::new(C::DEFINITION.collection, self.asked.stream(db).await?)) })
    }

    /// How many there are: the sum of what the buckets say. One `aggregate`, which reads the buckets and no index alone.
    ///
    /// # Errors
    /// Those of the server and the network.
    pub fn count(self, db: &impl Executor) -> BoxFuture<'_, Result<u64>> {
        self.asked.count(db)
    }

    /// Whether there is one, by one `find` of one `_id`.
    ///
    /// # Errors
    /// Those of the server and the network.
    pub fn exists(self, db: &impl Executor) -> BoxFuture<'_, Result<bool>> {
        self.asked.exists(db)
    }

    /// The sum, the average, the least and the greatest value of a field in each bucket, in the order of the buckets: one `aggregate`, and the children
    /// stay on the server.
    ///
    /// # Errors
    /// [`Error::Decode`](crate::Error::Decode) when a value does not fit the field's type, and those of the server and the network.
    pub fn statistics<'e, F>(
        self,
        db: &'e impl Executor,
        field: F,
    ) -> BoxFuture<'e, Result<Vec<BucketStatistics<F::Value>>>>
    where
        Self: 'e,
        F: Token<Model = C, Path: OneValue, Class: Numeric<F::Value>>,
        F::Value: DeserializeOwned + Send + 'e,
    {
        let _ = field;
        statistics::read(db, self.asked, F::Path::NODE.join())
    }
}

impl<C: Bucketed, T: Item> Explain for InBuckets<C, T> {
    async fn explain(&self, db: &impl Executor) -> Result<Document> {
        run::explain(db, self.asked.at_one_time()).await
    }
}

impl<C, T> Clone for InBuckets<C, T> {
    fn clone(&self) -> Self {
        InBuckets { asked: self.asked.clone(), types: PhantomData }
    }
}

impl<C, T> fmt::Debug for InBuckets<C, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("InBuckets").field(&self.asked).finish()
    }
}
