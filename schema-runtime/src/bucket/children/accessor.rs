//! The reads of the accessor of a relation whose children are in buckets.

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

/// The reads of the children of one parent in buckets: the methods of the accessor,
/// `post.comments().bucket(2).fetch_all(&db)`. The methods for children in separate documents have the same names.
///
/// Children come in the order of the buckets, and inside a bucket in the order of the relation, ascending. A late child
/// may be in a later bucket than the order field says: see [the page `buckets`](crate::guide).
pub trait ChildrenInBuckets<C: Bucketed>: Sized {
    #[doc(hidden)]
    fn in_buckets(self) -> InBuckets<C>;

    /// Selects the children of one bucket: see [`InBuckets::bucket`]. For children in buckets by time, call
    /// [`at`](ChildrenInBuckets::at) first.
    fn bucket(self, number: u32) -> InBuckets<C>
    where
        C: ByArrival,
    {
        self.in_buckets().bucket(number)
    }

    /// Selects the children of the day or the hour that contains the time.
    fn at(self, time: DateTime) -> InBuckets<C>
    where
        C: ByTime,
    {
        self.in_buckets().at(time)
    }

    /// Reads pages of `size` children; a `size` of 0 counts as 1.
    fn paginate<'t>(self, size: u32) -> PageInBuckets<'t, C> {
        self.in_buckets().paginate(size)
    }

    /// Reads the last `count` children, the last child first.
    fn latest(self, count: u32) -> LatestInBuckets<C> {
        self.in_buckets().latest(count)
    }

    /// Reads the same children, but the server sends only the fields of `V` and of the order.
    fn select<V: Projection<Of = C>>(self) -> InBuckets<C, V> {
        self.in_buckets().select()
    }

    /// Reads all children: see [`InBuckets::fetch_all`].
    ///
    /// # Errors
    /// Errors of the server and the network. The result contains the children that do not fit.
    fn fetch_all<'e>(self, db: &'e impl Executor) -> BoxFuture<'e, Result<Joined<C>>> {
        self.in_buckets().fetch_all(db)
    }

    /// Reads all children, one after another: see [`InBuckets::stream`].
    ///
    /// # Errors
    /// Errors of the server and the network; the stream also returns the errors of children that do not fit.
    fn stream<'e>(self, db: &'e impl Executor) -> BoxFuture<'e, Result<Documents<C>>> {
        self.in_buckets().stream(db)
    }

    /// Counts the children: see [`InBuckets::count`].
    ///
    /// # Errors
    /// Errors of the server and the network.
    fn count<'e>(self, db: &'e impl Executor) -> BoxFuture<'e, Result<u64>> {
        self.in_buckets().count(db)
    }

    /// Returns the sum, the average, the least and the greatest value of a field in each bucket: see
    /// [`InBuckets::statistics`].
    ///
    /// # Errors
    /// [`Error::Decode`](crate::Error::Decode) when a value does not fit the type of the field, and errors of the
    /// server and the network.
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

    /// Returns whether a child exists: see [`InBuckets::exists`].
    ///
    /// # Errors
    /// Errors of the server and the network.
    fn exists<'e>(self, db: &'e impl Executor) -> BoxFuture<'e, Result<bool>> {
        self.in_buckets().exists(db)
    }
}

#[diagnostic::do_not_recommend]
impl<C: Bucketed, const NEWEST_FIRST: bool> ChildrenInBuckets<C> for ChildrenOf<C::Parent, C, C, NEWEST_FIRST> {
    fn in_buckets(self) -> InBuckets<C> {
        InBuckets::new(layout_of::<C>(), self.into_parent())
    }
}

/// Refuses the calls for buckets, in words of this crate, when the children are separate documents.
#[doc(hidden)]
impl<P: Model, C: Model + OwnDocument, T, const NEWEST_FIRST: bool> ChildrenOf<P, C, T, NEWEST_FIRST> {
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
