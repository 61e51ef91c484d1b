//! Typed aggregations: a struct with `#[derive(Aggregate)]` says the keys and the values of each group of documents,
//! and one function makes the pipeline. See [the page `aggregation`](crate::guide).

mod asked;
mod children;
pub(crate) mod declared;
mod expression;
mod facets;
mod fill;
mod first_of_each;
mod group;
mod lookup;
mod merge;
mod order;
mod period;
mod pipeline;
mod query;
mod raw;
mod result;
mod zone;

use mongodb::bson::Document;
use serde::de::DeserializeOwned;

pub use facets::FacetSearch;
#[doc(hidden)]
pub use pipeline::stages_of;
pub use query::Aggregation;
pub use raw::RawAggregation;

use crate::model::{Aggregate, Facets, Model, OwnDocument};

/// The aggregations of a model.
pub trait Aggregates: Model + OwnDocument {
    /// Returns an aggregation of the documents into `A`. The aggregation is sent when a method of [`Aggregation`] is
    /// awaited.
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "orders")]
    /// # struct Order { #[serde(rename = "_id")] id: ObjectId, status: String, total: i64 }
    /// #[derive(Aggregate, Deserialize)]
    /// #[aggregate(of = Order, by(status))]
    /// struct OfStatus {
    ///     status: String,
    ///     #[count]
    ///     orders: i64,
    ///     #[sum(total)]
    ///     revenue: i64,
    /// }
    /// # async fn example(db: &Database) -> Result<()> {
    /// let rows = Order::aggregate::<OfStatus>().sort(OfStatus::F.revenue.desc()).fetch_all(db).await?;
    /// # drop(rows); Ok(())
    /// # }
    /// ```
    fn aggregate<A: Aggregate<Of = Self>>() -> Aggregation<A> {
        Aggregation::new()
    }

    /// Returns a read of facets: a page of documents with the numbers beside the page. The read is sent when
    /// [`FacetSearch::fetch`] is awaited.
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "products")]
    /// # struct Product { #[serde(rename = "_id")] id: ObjectId, brand: String, price: f64 }
    /// #[derive(Facets, Deserialize)]
    /// #[facets(of = Product)]
    /// struct Search {
    ///     #[count_by(brand, limit = 20)]
    ///     brands: Vec<FacetCount<String>>,
    ///     #[ranges(price, [0, 10, 50])]
    ///     prices: Vec<FacetCount<f64>>,
    ///     #[count]
    ///     total: i64,
    /// }
    /// # async fn example(db: &Database) -> Result<()> {
    /// let search = Product::facets::<Search>().filter(Product::F.price.lt(100.0)).fetch(db).await?;
    /// # drop(search); Ok(())
    /// # }
    /// ```
    fn facets<F: Facets<Of = Self>>() -> FacetSearch<F> {
        FacetSearch::new()
    }

    /// Returns the documents that a pipeline makes of the documents, read as `T`: for stages without types, such as
    /// `$setWindowFields`. The names of the pipeline are stored names. A value from outside of the program belongs into
    /// a `$literal`, or into the operand of an operator of a `$match`.
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "orders")]
    /// # struct Order { #[serde(rename = "_id")] id: ObjectId, status: String, total: i64 }
    /// #[derive(Deserialize)]
    /// struct Quarter {
    ///     #[serde(rename = "_id")]
    ///     limits: mongodb::bson::Document,
    ///     count: i64,
    /// }
    /// # async fn example(db: &Database) -> Result<()> {
    /// let stage = doc! { "$bucketAuto": { "groupBy": "$total", "buckets": 4 } };
    /// let quarters = Order::aggregate_raw::<Quarter>(vec![stage]).fetch_all(db).await?;
    /// # drop(quarters); Ok(())
    /// # }
    /// ```
    fn aggregate_raw<T: DeserializeOwned + Send + 'static>(pipeline: Vec<Document>) -> RawAggregation<Self, T> {
        RawAggregation::new(pipeline)
    }
}

impl<M: Model + OwnDocument> Aggregates for M {}
