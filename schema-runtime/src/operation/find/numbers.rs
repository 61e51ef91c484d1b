//! The numbers of a read: values that the server computes from a field of all documents that match.

use futures_util::future::BoxFuture;
use serde::de::DeserializeOwned;

use super::Find;
use crate::{
    error::Result,
    executor::Executor,
    field::{Extreme, ExtremeOf, GroupKey, OnePerDocument, Record, SumOf, Summed, Token},
    model::Model,
    read,
};

/// Values, each with the number of documents that have the value.
type Counts<V> = Vec<(V, u64)>;

impl<M: Model, T: Record + DeserializeOwned + Send + 'static> Find<M, T> {
    /// Returns the sum of a field in all documents that match, by one `aggregate`: an `i64` for integers, an `f64` for
    /// floats, and the type itself for decimals. Null and an absent field count as 0; without a document the sum is 0.
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "orders")]
    /// # struct Order { #[serde(rename = "_id")] id: ObjectId, status: String, total: i64 }
    /// # async fn example(db: &Database) -> Result<()> {
    /// let revenue: i64 = Order::find(Order::F.status.eq("paid")).sum(db, Order::F.total).await?;
    /// # drop(revenue); Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`AggregateError::Overflow`](crate::AggregateError::Overflow) when the sum of integers is over 64 bits, and the
    /// errors of the driver.
    pub fn sum<'a, F>(self, db: &'a impl Executor, field: F) -> BoxFuture<'a, Result<SumOf<F>>>
    where
        F: Token<Model = M, Class: Summed<F::Value>, Path: OnePerDocument> + 'a,
        SumOf<F>: DeserializeOwned + 'a,
    {
        let _ = field;
        // The futures are boxed: with an `impl Future`, rustc would report a field of another model three times.
        Box::pin(read::sum::<M, F, _>(db, self.search.query))
    }

    /// Returns the average of a field in all documents that match, by one `aggregate`; `None` where no document has a
    /// number. Null and an absent field do not count.
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "orders")]
    /// # struct Order { #[serde(rename = "_id")] id: ObjectId, status: String, total: i64 }
    /// # async fn example(db: &Database) -> Result<()> {
    /// let mean: Option<f64> = Order::find(Order::F.status.eq("paid")).avg(db, Order::F.total).await?;
    /// # drop(mean); Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of the driver.
    pub fn avg<'a, F>(self, db: &'a impl Executor, field: F) -> BoxFuture<'a, Result<Option<f64>>>
    where
        F: Token<Model = M, Class: Summed<F::Value>, Path: OnePerDocument> + 'a,
    {
        let _ = field;
        Box::pin(read::avg::<F>(db, self.search.query))
    }

    /// Returns the least value of a field in all documents that match; `None` where no document has a value. An index
    /// that begins with the fields of the filter and then the field serves the read with one key. NaN is the least
    /// number.
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "orders")]
    /// # struct Order { #[serde(rename = "_id")] id: ObjectId, status: String, total: i64 }
    /// # async fn example(db: &Database) -> Result<()> {
    /// let least: Option<i64> = Order::find(Filter::all()).min(db, Order::F.total).await?;
    /// # drop(least); Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Decode`](crate::Error::Decode) when the value does not fit the field's type, and the errors of the
    /// driver.
    pub fn min<'a, F>(self, db: &'a impl Executor, field: F) -> BoxFuture<'a, Result<Option<ExtremeOf<F>>>>
    where
        F: Token<Model = M, Class: Extreme<F::Value>, Path: OnePerDocument> + 'a,
        ExtremeOf<F>: DeserializeOwned + 'a,
    {
        let _ = field;
        Box::pin(read::extreme::<M, F, _>(db, self.search.query, 1))
    }

    /// Returns the greatest value of a field in all documents that match; `None` where no document has a value. An
    /// index serves the read as an index serves [`min`](Find::min).
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "orders")]
    /// # struct Order { #[serde(rename = "_id")] id: ObjectId, status: String, total: i64 }
    /// # async fn example(db: &Database) -> Result<()> {
    /// let greatest: Option<i64> = Order::find(Filter::all()).max(db, Order::F.total).await?;
    /// # drop(greatest); Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Decode`](crate::Error::Decode) when the value does not fit the field's type, and the errors of the
    /// driver.
    pub fn max<'a, F>(self, db: &'a impl Executor, field: F) -> BoxFuture<'a, Result<Option<ExtremeOf<F>>>>
    where
        F: Token<Model = M, Class: Extreme<F::Value>, Path: OnePerDocument> + 'a,
        ExtremeOf<F>: DeserializeOwned + 'a,
    {
        let _ = field;
        Box::pin(read::extreme::<M, F, _>(db, self.search.query, -1))
    }

    /// Returns each value of a field with the number of documents that have the value, the greatest number first;
    /// values with equal numbers are in the order of the value. Of an `Option`, null and an absent field are one value,
    /// `None`. One `aggregate`.
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "orders")]
    /// # struct Order { #[serde(rename = "_id")] id: ObjectId, status: String, total: i64 }
    /// # async fn example(db: &Database) -> Result<()> {
    /// let numbers: Vec<(String, u64)> = Order::find(Filter::all()).count_by(db, Order::F.status).await?;
    /// # drop(numbers); Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Decode`](crate::Error::Decode) when a value does not fit the field's type, and the errors of the
    /// driver.
    pub fn count_by<'a, F>(self, db: &'a impl Executor, field: F) -> BoxFuture<'a, Result<Counts<F::Value>>>
    where
        F: Token<Model = M, Class: GroupKey<F::Value>, Path: OnePerDocument> + 'a,
        F::Value: DeserializeOwned + 'a,
    {
        let _ = field;
        Box::pin(read::count_by::<M, F>(db, self.search.query))
    }
}
