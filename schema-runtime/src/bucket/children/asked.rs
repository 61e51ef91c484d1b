//! The reads of the buckets of a parent, for any target type.

use std::ops::ControlFlow;

use futures_util::{StreamExt, TryStreamExt, future::BoxFuture, stream};
use mongodb::bson::{Bson, DateTime, Document, RawDocument, RawDocumentBuf, doc};

use crate::{
    bucket::layout::{COUNT, Layout, PAGE},
    document,
    error::{Error, Result},
    executor::Executor,
    join::{Fields, Joined, Name},
    model::Model,
    read::{Aggregate, Query, run},
};

/// The selected buckets of a parent: all buckets, the buckets of a day or an hour, or one bucket.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) layout: Layout,
    pub(super) parent: Result<Bson>,
    pub(super) time: Option<DateTime>,
    pub(super) number: Option<u32>,
    pub(super) fields: Fields,
}

/// The approximate number of children in one reply of a stream.
const STREAMED: usize = 1_000;

impl Asked {
    pub(super) fn new(layout: Layout, parent: Result<Bson>) -> Self {
        Asked { layout, parent, time: None, number: None, fields: Document::new }
    }

    /// Makes the result of a read; some children may not fit the struct.
    pub(super) fn joined<T, C: Model>(&self, children: impl Iterator<Item = Result<T>>) -> Joined<T, C> {
        Joined::of_query(Name::new(self.layout.model, self.layout.bucket.parent.field), children.collect())
    }

    /// Returns the filter for the selected buckets.
    pub(super) fn filter(&self) -> Result<Document> {
        let parent = self.parent.clone()?;
        let mut filter = match self.time {
            Some(time) => self.layout.chain(parent, time),
            None => self.layout.of_parent(parent),
        };
        if let Some(number) = self.number {
            if self.time.is_none() && self.layout.bucket.by.is_some() {
                return Err(Error::Query {
                    message: "each day or hour has a bucket of this number: give the time first, as \
                              `.at(time).bucket(1)`",
                });
            }
            filter.insert(PAGE, i64::from(number));
        }
        Ok(filter)
    }

    /// Returns the stored fields that order the buckets.
    pub(super) fn page_order(&self) -> Vec<&'static str> {
        let span = self.layout.bucket.by.filter(|_| self.time.is_none()).map(|(span, _)| span.word());
        span.into_iter().chain([PAGE]).collect()
    }

    /// Returns the query for the buckets in order, or from the last bucket to the first.
    pub(super) fn query(&self, backward: bool) -> Result<Query> {
        let mut query = Query::new(self.layout.collection(), self.filter()?);
        if self.number.is_some() {
            query.limit = 1;
        } else {
            query.filter.insert(COUNT, doc! { "$gt": 0 });
            let way = if backward { -1 } else { 1 };
            query.sort = self.page_order().into_iter().map(|name| (name.to_owned(), Bson::Int32(way))).collect();
        }
        query.projection = self.layout.projection(&(self.fields)());
        Ok(query)
    }

    /// Returns the query for all selected buckets in one snapshot: a child that a compact moves meanwhile is neither
    /// missed nor read twice.
    pub(super) fn at_one_time(&self) -> Result<Query> {
        self.query(false).map(|query| Query { at_one_time: query.limit != 1, ..query })
    }

    /// Calls `visit` with each child as a document.
    pub(super) fn each<'a>(&'a self, db: &'a dyn Executor, visit: &'a mut run::Visit<'a>) -> BoxFuture<'a, Result<()>> {
        let query = self.at_one_time().map(|query| Query { batch_size: run::WHOLE_REPLY, ..query });
        Box::pin(async move {
            let mut each = |bucket: &RawDocument| {
                for child in self.layout.children(bucket)? {
                    if visit(&child)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                Ok(ControlFlow::Continue(()))
            };
            run::each(db, query, &mut each).await
        })
    }

    /// Streams the children as documents, one reply of buckets at a time.
    pub(super) fn stream(self, db: &dyn Executor) -> BoxFuture<'_, Result<run::RawDocuments>> {
        Box::pin(async move {
            let buckets = (STREAMED / self.layout.size().max(1)).max(1) as u32;
            let query = self.at_one_time().map(|query| Query { batch_size: buckets, ..query });
            let found = run::stream(db, query).await?;
            let children =
                move |bucket: RawDocumentBuf| Ok::<_, Error>(stream::iter(self.layout.children(&bucket)?).map(Ok));
            Ok(found.and_then(move |bucket| std::future::ready(children(bucket))).try_flatten().boxed())
        })
    }

    /// Counts the children.
    pub(super) fn count(self, db: &dyn Executor) -> BoxFuture<'_, Result<u64>> {
        Box::pin(async move {
            let sum = doc! { "$group": { "_id": Bson::Null, "n": { "$sum": format!("${COUNT}") } } };
            let pipeline = vec![doc! { "$match": self.filter()? }, sum];
            let rows = Aggregate { collection: Some(self.layout.collection()), pipeline };
            let sums = rows.all(&db.context()?).await?;
            Ok(sums.first().map_or(0, |sum| document::count(sum.get("n"))))
        })
    }

    /// Returns whether a child exists.
    pub(super) fn exists(self, db: &dyn Executor) -> BoxFuture<'_, Result<bool>> {
        let query = self.filter().map(|mut filter| {
            filter.insert(COUNT, doc! { "$gt": 0 });
            Query::new(self.layout.collection(), filter)
        });
        run::exists(db, query)
    }
}
