//! A pipeline that a program writes by hand, read as any struct.

use std::{fmt, marker::PhantomData, sync::Arc};

use derive_where::derive_where;
use futures_util::{StreamExt, stream::BoxStream};
use mongodb::bson::{Document, doc};
use serde::de::DeserializeOwned;

use crate::{
    error::{Error, Result},
    executor::{Configurable, Executor, OperationOptions},
    explain::Explain,
    field::{Filter, SortKeys},
    model::Model,
    mongosh::ToMongosh,
    operation::asked,
    page::sort_by,
    read::{self, Query, run},
};

/// The stages that write.
const WRITES: [&str; 2] = ["$out", "$merge"];

/// The documents that a pipeline by hand makes of the documents of `M`, read as `T`.
#[must_use = "nothing is read until `fetch_all`, `stream`, `fetch_optional` or `fetch_one` is awaited"]
#[derive_where(Clone)]
pub struct RawAggregation<M, T> {
    first: Result<First>,
    pipeline: Vec<Document>,
    options: Option<Arc<OperationOptions>>,
    types: PhantomData<fn() -> (M, T)>,
}

/// The stages before the pipeline.
#[derive(Clone, Default)]
struct First {
    filter: Document,
    sort: Document,
    limit: u32,
}

impl<M: Model, T: DeserializeOwned + Send + 'static> RawAggregation<M, T> {
    pub(super) fn new(pipeline: Vec<Document>) -> Self {
        RawAggregation { first: Ok(First::default()), pipeline, options: None, types: PhantomData }
    }

    /// Adds a condition on the documents before the pipeline, so that an index can serve the condition. A value is
    /// always an operand, and never an operator.
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "orders")]
    /// # struct Order { #[serde(rename = "_id")] id: ObjectId, status: String, total: i64 }
    /// #[derive(Deserialize)]
    /// struct Ranked {
    ///     #[serde(rename = "_id")]
    ///     id: ObjectId,
    ///     rank: i64,
    /// }
    /// # async fn example(db: &Database, status: &str) -> Result<()> {
    /// let rank = doc! { "$setWindowFields": { "sortBy": { "total": -1 }, "output": { "rank": { "$rank": {} } } } };
    /// let ranked = Order::aggregate_raw::<Ranked>(vec![rank]).filter(Order::F.status.eq(status)).fetch_all(db).await?;
    /// # drop(ranked); Ok(())
    /// # }
    /// ```
    pub fn filter(self, filter: Filter<M>) -> Self {
        self.with(|first| {
            let filter = Filter::<M>::raw(first.filter).and(filter).into_document()?;
            Ok(First { filter, ..first })
        })
    }

    /// Sorts the documents before the pipeline, by the tokens of the model.
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "orders")]
    /// # struct Order { #[serde(rename = "_id")] id: ObjectId, total: i64 }
    /// #[derive(Deserialize)]
    /// struct Totals {
    ///     totals: Vec<i64>,
    /// }
    /// # async fn example(db: &Database) -> Result<()> {
    /// let group = doc! { "$group": { "_id": null, "totals": { "$push": "$total" } } };
    /// let largest = Order::aggregate_raw::<Totals>(vec![group]).sort([Order::F.total.desc()]).limit(100);
    /// let totals = largest.fetch_one(db).await?.totals;
    /// # drop(totals); Ok(())
    /// # }
    /// ```
    pub fn sort(self, keys: impl SortKeys<M>) -> Self {
        let keys = keys.into_paths();
        self.with(|first| Ok(First { sort: sort_by(&keys), ..first }))
    }

    /// Limits the number of documents before the pipeline; 0 means all documents.
    pub fn limit(self, limit: u32) -> Self {
        self.with(|first| Ok(First { limit, ..first }))
    }

    fn with(mut self, change: impl FnOnce(First) -> Result<First>) -> Self {
        self.first = self.first.and_then(change);
        self
    }

    /// Returns all documents.
    ///
    /// # Errors
    /// [`Error::Decode`] when a document does not fit `T`, [`Error::Query`] with a stage that writes or a
    /// [`near`](crate::field::QueryOperators::near) in the filter, and the errors of the driver.
    pub async fn fetch_all(self, db: &impl Executor) -> Result<Vec<T>> {
        run::all(db, self.query(), |document| read::parse(M::DEFINITION.collection, document)).await
    }

    /// Streams all documents. The stream holds one reply of the server at a time: 1,000 documents and 16 MB at most. A
    /// document that does not fit `T` is an [`Error::Decode`], and the stream goes on; an error of the driver is the
    /// last item.
    ///
    /// # Errors
    /// [`Error::Query`] as for [`fetch_all`](RawAggregation::fetch_all), and the errors of the driver for the first
    /// reply.
    pub async fn stream(self, db: &impl Executor) -> Result<BoxStream<'static, Result<T>>> {
        let documents = run::stream(db, self.query()).await?;
        Ok(documents.map(|document| read::parse(M::DEFINITION.collection, &document?)).boxed())
    }

    /// Returns the first document; `None` when there is no document.
    ///
    /// # Errors
    /// The errors of [`fetch_all`](RawAggregation::fetch_all).
    pub async fn fetch_optional(self, db: &impl Executor) -> Result<Option<T>> {
        let document = run::first(db, self.query()).await?;
        document.map(|document| read::parse(M::DEFINITION.collection, &document)).transpose()
    }

    /// Returns the first document.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is no document, and the errors of [`fetch_all`](RawAggregation::fetch_all).
    pub async fn fetch_one(self, db: &impl Executor) -> Result<T> {
        self.fetch_optional(db).await?.ok_or_else(|| Error::not_found(M::DEFINITION))
    }

    fn query(self) -> Result<Query> {
        if self.pipeline.iter().flat_map(Document::keys).any(|stage| WRITES.contains(&stage.as_str())) {
            let message = "a raw aggregation only reads: remove `$out` or `$merge`, or use the driver's collection";
            return Err(Error::Query { message });
        }
        let First { filter, sort, limit } = self.first?;
        let collection = M::DEFINITION.collection;
        Query::new(collection, filter.clone()).refuse_near()?;
        let mut over = Vec::new();
        over.extend((!filter.is_empty()).then(|| doc! { "$match": filter }));
        over.extend((!sort.is_empty()).then(|| doc! { "$sort": sort }));
        over.extend((limit > 0).then(|| doc! { "$limit": i64::from(limit) }));
        over.extend(self.pipeline);
        let query = Query::new(collection, Document::new());
        Ok(Query { over, asked: Some(asked::asked::<M>()), options: self.options, ..query })
    }
}

impl<M, T> Configurable for RawAggregation<M, T> {
    fn configure(mut self, change: impl FnOnce(&mut OperationOptions)) -> Self {
        change(Arc::make_mut(self.options.get_or_insert_default()));
        self
    }
}

impl<M: Model, T: DeserializeOwned + Send + 'static> ToMongosh for RawAggregation<M, T> {
    fn command(&self) -> Result<Document> {
        self.clone().query().map(Query::into_command)
    }
}

impl<M: Model, T: DeserializeOwned + Send + 'static> Explain for RawAggregation<M, T> {}

/// Shows no values.
impl<M, T> fmt::Debug for RawAggregation<M, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("RawAggregation").finish_non_exhaustive()
    }
}
