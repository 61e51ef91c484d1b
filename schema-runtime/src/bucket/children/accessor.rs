//! What the accessor of a relation reads where its children are in buckets.

use futures_util::future::BoxFuture;
use mongodb::bson::DateTime;
use serde::de::DeserializeOwned;

use super::{BucketStatistics, InBuckets, LatestInBuckets, PageInBuckets};
use crate::{
    bucket::{Bucketed, ByArrival, ByTime, layout_of},
    error::Result,
    executor::Executor,
    field::{OneValue, Token, class::Numeric},
    join::Joined,
    model::{Model, OwnDocument, Projection},
    read::Documents,
    relation::ChildrenOf,
};

/// What can be read of the children of one parent that are in buckets: the methods of its accessor, `post.comments().bucket(2).fetch(&db)`.
/// Those of children that are documents of their own have the same names.
///
/// Children are in the order of their buckets, and in each in the relation's order, which is ascending. A child that was inserted late is in a later bucket
/// than its place in the order says: see [the manual](crate::manual::buckets).
pub trait ChildrenInBuckets<C: Bucketed>: Sized {
    #[doc(hidden)]
    fn in_buckets(self) -> InBuckets<C>;

    /// Those of one bucket: see [`InBuckets::bucket`]. Of children that are in buckets by time say [`at`](ChildrenInBuckets::at) first.
    fn bucket(self, number: u32) -> InBuckets<C>
    where
        C: ByArrival,
    {
        self.in_buckets().bucket(number)
    }

    /// Those of the day or the hour in which this time is.
    fn at(self, time: DateTime) -> InBuckets<C>
    where
        C: ByTime,
    {
        self.in_buckets().at(time)
    }

    /// Pages of `size` children; a `size` of 0 counts as 1.
    fn page<'t>(self, size: u32) -> PageInBuckets<'t, C> {
        self.in_buckets().page(size)
    }

    /// The last `count` children, the last one first.
    fn latest(self, count: u32) -> LatestInBuckets<C> {
        self.in_buckets().latest(count)
    }

    /// The same, but the server sends the fields of `V` only, and those of the order.
    fn select<V: Projection<Of = C>>(self) -> InBuckets<C, V> {
        self.in_buckets().select()
    }

    /// All children: see [`InBuckets::fetch`].
    ///
    /// # Errors
    /// Those of the server and the network. Children that do not fit are in the result.
    fn fetch<'e>(self, db: &'e impl Executor) -> BoxFuture<'e, Result<Joined<C>>> {
        self.in_buckets().fetch(db)
    }

    /// All children, one after another: see [`InBuckets::stream`].
    ///
    /// # Errors
    /// Those of the server and the network; from the stream also those of children that do not fit.
    fn stream<'e>(self, db: &'e impl Executor) -> BoxFuture<'e, Result<Documents<C>>> {
        self.in_buckets().stream(db)
    }

    /// How many children there are: see [`InBuckets::count`].
    ///
    /// # Errors
    /// Those of the server and the network.
    fn count<'e>(self, db: &'e impl Executor) -> BoxFuture<'e, Result<u64>> {
        self.in_buckets().count(db)
    }

    /// The sum, the average, the least and the greatest value of a field in each bucket: see [`InBuckets::statistics`].
    ///
    /// # Errors
    /// [`Error::Decode`](crate::Error::Decode) when a value does not fit the field's type, and those of the server and the network.
    fn statistics<'e, F>(
        self,
        db: &'e impl Executor,
        field: F,
    ) -> BoxFuture<'e, Result<Vec<BucketStatistics<F::Value>>>>
    where
        F: Token<Model = C, Path: OneValue, Class: Numeric<F::Value>>,
        F::Value: DeserializeOwned + Send + 'e,
    {
        self.in_buckets().statistics(db, field)
    }

    /// Whether there is a child: see [`InBuckets::exists`].
    ///
    /// # Errors
    /// Those of the server and the network.
    fn exists<'e>(self, db: &'e impl Executor) -> BoxFuture<'e, Result<bool>> {
        self.in_buckets().exists(db)
    }
}

#[diagnostic::do_not_recommend]
impl<C: Bucketed> ChildrenInBuckets<C> for ChildrenOf<C::Parent, C> {
    fn in_buckets(self) -> InBuckets<C> {
        InBuckets::new(layout_of::<C>(), self.into_parent())
    }
}

/// Where the children are documents, what is of buckets alone is refused in words of this crate.
#[doc(hidden)]
impl<P: Model, C: Model + OwnDocument, T> ChildrenOf<P, C, T> {
    pub fn bucket(self, _: u32) -> Self
    where
        C: Bucketed,
    {
        self
    }

    pub fn at(self, _: DateTime) -> Self
    where
        C: Bucketed,
    {
        self
    }
}
