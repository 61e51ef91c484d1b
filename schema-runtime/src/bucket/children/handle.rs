//! The children of a parent in buckets, to be read.

use std::{marker::PhantomData, ops::ControlFlow};

use derive_where::derive_where;
use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, DateTime, Document, RawDocument};
use serde::de::DeserializeOwned;

use super::{BucketStatistics, LatestInBuckets, asked::Asked, statistics};
use crate::{
    bucket::{Bucketed, ByTime, layout::Layout},
    error::Result,
    executor::Executor,
    explain::Explain,
    field::{OneValue, Path, Token, class::Numeric},
    join::{Item, Joined},
    model::{Projection, all_fields},
    mongosh::ToMongosh,
    page::{Pages, Request},
    read::{self, Documents, Query},
};

/// The children of a parent, of a day or an hour, or of a bucket, read into `T`. Nothing reaches the server until a
/// read is awaited.
#[must_use = "nothing is read until a read is awaited"]
#[derive_where(Clone, Debug)]
pub struct InBuckets<C, T = C> {
    pub(super) asked: Asked,
    #[derive_where(skip(Debug))]
    types: PhantomData<fn() -> (C, T)>,
}

impl<C: Bucketed> InBuckets<C> {
    pub(super) fn new(layout: Layout, parent: Result<Bson>) -> Self {
        InBuckets { asked: Asked::new(layout, parent), types: PhantomData }
    }
}

impl<C: Bucketed, T: Item> InBuckets<C, T> {
    /// Selects the children of the day or the hour that contains the time.
    pub fn at(self, time: DateTime) -> Self
    where
        C: ByTime,
    {
        InBuckets { asked: Asked { time: Some(time), ..self.asked }, ..self }
    }

    /// Selects the children of one bucket, by the number of the bucket in the order of arrival, from 1 on. One document
    /// is read. A missing bucket has no children. When no child was deleted, all buckets but the last are full.
    pub fn bucket(self, number: u32) -> Self {
        InBuckets { asked: Asked { number: Some(number), ..self.asked }, ..self }
    }

    /// Reads pages of `size` children; a `size` of 0 counts as 1.
    pub fn paginate<'t>(self, size: u32) -> Pages<'t, InBuckets<C, T>> {
        Pages::new(self, Request::first(size))
    }

    /// Reads the last `count` children, the last child first.
    pub fn latest(self, count: u32) -> LatestInBuckets<C, T> {
        LatestInBuckets::new(self.asked, count)
    }

    /// Reads the same children, but the server sends only the fields of `V` and of the order.
    pub fn select<V: Projection<Of = C>>(self) -> InBuckets<C, V> {
        InBuckets { asked: Asked { fields: all_fields::<V>, ..self.asked }, types: PhantomData }
    }

    /// Reads all children by one `find`. The children are a consistent snapshot (read concern `snapshot`), except on a
    /// standalone and for the children of a single bucket.
    ///
    /// # Errors
    /// Errors of the server and the network. The result contains the children that do not fit.
    pub fn fetch_all<'e>(self, db: &'e impl Executor) -> BoxFuture<'e, Result<Joined<T, C>>>
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

    /// Reads all children, one after another, in a consistent snapshot (read concern `snapshot`), except on a
    /// standalone. The server keeps the snapshot for [five
    /// minutes](https://www.mongodb.com/docs/manual/reference/parameters/#mongodb-parameter-param.minSnapshotHistoryWindowInSeconds).
    /// About 1,000 children are in memory, and never less than the children of a bucket.
    ///
    /// # Errors
    /// Errors of the server and the network; the stream also returns the errors of children that do not fit.
    pub fn stream<'e>(self, db: &'e impl Executor) -> BoxFuture<'e, Result<Documents<T>>>
    where
        Self: 'e,
    {
        let db: &dyn Executor = db;
        Box::pin(async move { Ok(Documents::new(C::DEFINITION.collection, self.asked.stream(db).await?)) })
    }

    /// Counts the children: sums the counts stored in the buckets by one `aggregate`. The `aggregate` reads the
    /// buckets, not only an index.
    ///
    /// # Errors
    /// Errors of the server and the network.
    pub fn count(self, db: &impl Executor) -> BoxFuture<'_, Result<u64>> {
        self.asked.count(db)
    }

    /// Returns whether a child exists, by one `find` of one `_id`.
    ///
    /// # Errors
    /// Errors of the server and the network.
    pub fn exists(self, db: &impl Executor) -> BoxFuture<'_, Result<bool>> {
        self.asked.exists(db)
    }

    /// Returns the sum, the average, the least and the greatest value of a field in each bucket, in the order of the
    /// buckets: one `aggregate`. The children stay on the server.
    ///
    /// # Errors
    /// [`Error::Decode`](crate::Error::Decode) when a value does not fit the type of the field, and errors of the
    /// server and the network.
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
        statistics::read(db, self.asked, F::Path::NODE.join(), F::SHAPE)
    }
}

impl<C: Bucketed, T: Item> ToMongosh for InBuckets<C, T> {
    fn command(&self) -> Result<Document> {
        self.asked.at_one_time().map(Query::into_command)
    }
}

impl<C: Bucketed, T: Item> Explain for InBuckets<C, T> {}
