//! A read of one collection, put together before it is sent.

use std::{marker::PhantomData, ops::ControlFlow};

use mongodb::bson::Document;
use serde::de::DeserializeOwned;

use crate::{
    error::{Error, Result},
    executor::Executor,
    field::{Filter, Projection, all_fields},
    model::Model,
    read::{self, Documents, Query},
};

/// The documents of `M` that match a filter, read as `T`: the model itself, or a [`Projection`] of it.
///
/// A filter whose value cannot be written as BSON is an error of the method that is awaited.
#[must_use = "nothing is read until `fetch`, `stream`, `one`, `get` or `count` is awaited"]
#[derive(Debug)]
pub struct Find<M, T = M> {
    query: Result<Query>,
    types: PhantomData<fn() -> (M, T)>,
}

/// More than one reply of 16 MB can hold: the server fills each reply.
const WHOLE_REPLY: u32 = 1_000_000;

impl<M: Model> Find<M> {
    pub(super) fn new(filter: Filter<M>) -> Self {
        let query = filter.into_document().map(|filter| Query::new(M::DEFINITION.collection, filter));
        Find { query, types: PhantomData }
    }

    /// Reads only the fields of `P`; the server sends no others, but `_id`.
    pub fn select<P: Projection<Of = M>>(self) -> Find<M, P> {
        let query = self.query.map(|query| Query { projection: all_fields::<P>(), ..query });
        Find { query, types: PhantomData }
    }
}

impl<M: Model, T: DeserializeOwned + Send + 'static> Find<M, T> {
    /// At most this many documents; 0 for all.
    pub fn limit(self, limit: u32) -> Self {
        self.with(|query| query.limit = limit.into())
    }

    /// Not the first `skip` documents. The server walks over them: for pages of a long list a keyset is cheaper.
    pub fn skip(self, skip: u64) -> Self {
        self.with(|query| query.skip = skip)
    }

    /// All that match, in the server's order.
    ///
    /// # Errors
    /// [`Error::Decode`] when a document does not fit `T`; [`fetch_each`](Find::fetch_each) gives the others too.
    pub async fn fetch(self, db: &impl Executor) -> Result<Vec<T>> {
        let mut documents = Vec::new();
        self.each(db, |document| {
            documents.push(document?);
            Ok(ControlFlow::Continue(()))
        })
        .await?;
        Ok(documents)
    }

    /// All that match, in the server's order; a document that does not fit `T` is an [`Error::Decode`] in its place.
    ///
    /// # Errors
    /// Those of the driver.
    pub async fn fetch_each(self, db: &impl Executor) -> Result<Vec<Result<T>>> {
        let mut documents = Vec::new();
        self.each(db, |document| {
            documents.push(document);
            Ok(ControlFlow::Continue(()))
        })
        .await?;
        Ok(documents)
    }

    /// All that match, one after the other, in the server's order. Holds one reply of the server at a time: 1,000 documents
    /// and 16 MB at most. A document that does not fit `T` is one [`Error::Decode`] and the stream goes on; an error of the
    /// driver is the last item.
    ///
    /// # Errors
    /// Those of the driver, for the first reply.
    pub async fn stream(self, db: &impl Executor) -> Result<Documents<T>> {
        self.query?.stream(&db.context()?).await
    }

    /// One that matches, if there is one.
    ///
    /// # Errors
    /// [`Error::Decode`] when it does not fit `T`.
    pub async fn one(self, db: &impl Executor) -> Result<Option<T>> {
        let mut found = None;
        self.limit(1)
            .each(db, |document| {
                found = Some(document?);
                Ok(ControlFlow::Break(()))
            })
            .await?;
        Ok(found)
    }

    /// One that matches.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is none; [`Error::Decode`] when it does not fit `T`.
    pub async fn get(self, db: &impl Executor) -> Result<T> {
        let definition = M::DEFINITION;
        let not_found = Error::NotFound { model: definition.model, collection: definition.collection };
        self.one(db).await?.ok_or(not_found)
    }

    /// How many match, counted by the server, with `skip` and `limit`.
    ///
    /// # Errors
    /// Those of the driver.
    pub async fn count(self, db: &impl Executor) -> Result<u64> {
        let query = self.query?;
        db.context()?.count(query.collection, query.filter, query.skip, query.limit).await
    }

    /// What the server does for this read, in its own words, with the counts of one execution.
    ///
    /// # Errors
    /// Those of the driver.
    pub async fn explain(self, db: &impl Executor) -> Result<Document> {
        self.query?.explain(&db.context()?).await
    }

    async fn each(
        self,
        db: &impl Executor,
        mut visit: impl FnMut(Result<T>) -> Result<ControlFlow<()>> + Send,
    ) -> Result<()> {
        let mut query = self.query?;
        query.batch_size = WHOLE_REPLY;
        let collection = query.collection;
        query.for_each(&db.context()?, |document| visit(read::decode(collection, document))).await
    }

    fn with(mut self, change: impl FnOnce(&mut Query)) -> Self {
        if let Ok(query) = &mut self.query {
            change(query);
        }
        self
    }
}
