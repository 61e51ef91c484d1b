//! Random samples.

use serde::de::DeserializeOwned;

use super::Find;
use crate::{error::Error, field::Record, model::Model, read::Query};

impl<M: Model, T: Record + DeserializeOwned + Send + 'static> Find<M, T> {
    /// Reads `count` documents that the server chooses at random among the documents that match; all documents, if
    /// fewer match. The read is an `aggregate` with a `$sample`. A sort, a skip and a limit apply to the sample.
    ///
    /// Without a filter and below 5 % of a collection of more than 100 documents, the server reads only the sample;
    /// otherwise the server reads all documents that match. The server may choose a document twice.
    ///
    /// ```
    /// # use schema_runtime::prelude::*;
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "parts")]
    /// # struct Part { #[serde(rename = "_id")] id: ObjectId, qty: i32 }
    /// # async fn example(db: &Database) -> Result<()> {
    /// let some = Part::find(Part::F.qty.gt(0)).sample(10).fetch_all(db).await?;
    /// # drop(some); Ok(())
    /// # }
    /// ```
    ///
    /// A sample of 0 documents, a page of a sample, and a [`near`](crate::field::QueryOperators::near) in the filter
    /// are [`Error::Query`] of the awaited method.
    pub fn sample(self, count: u32) -> Self {
        let Find { mut search, types } = self;
        search.query = search.query.and_then(|query| match count {
            0 => Err(Error::Query { message: "a sample has at least one document" }),
            sample => Ok(Query { sample, ..query }),
        });
        Find { search, types }
    }
}
