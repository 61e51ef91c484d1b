//! A pipeline that a program writes by hand, read as any struct.

use std::{fmt, marker::PhantomData, sync::Arc};

use derive_where::derive_where;
use mongodb::bson::Document;
use serde::de::DeserializeOwned;

use crate::{
    error::{Error, Result},
    executor::{Configurable, Executor, OperationOptions},
    explain::Explain,
    model::Model,
    mongosh::ToMongosh,
    operation::asked,
    read::{self, Query, run},
};

/// The stages that write.
const WRITES: [&str; 2] = ["$out", "$merge"];

/// The documents that a pipeline by hand makes of the documents of `M`, read as `T`.
#[must_use = "nothing is read until `fetch_all`, `fetch_optional` or `fetch_one` is awaited"]
#[derive_where(Clone)]
pub struct RawAggregation<M, T> {
    pipeline: Vec<Document>,
    options: Option<Arc<OperationOptions>>,
    types: PhantomData<fn() -> (M, T)>,
}

impl<M: Model, T: DeserializeOwned + Send + 'static> RawAggregation<M, T> {
    pub(super) fn new(pipeline: Vec<Document>) -> Self {
        RawAggregation { pipeline, options: None, types: PhantomData }
    }

    /// Returns all documents.
    ///
    /// # Errors
    /// [`Error::Decode`] when a document does not fit `T`, [`Error::Query`] with a stage that writes, and the errors of
    /// the driver.
    pub async fn fetch_all(self, db: &impl Executor) -> Result<Vec<T>> {
        run::all(db, self.query(), |document| read::parse(M::DEFINITION.collection, document)).await
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
        let query = Query::new(M::DEFINITION.collection, Document::new());
        Ok(Query { over: self.pipeline, asked: Some(asked::asked::<M>()), options: self.options, ..query })
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
