//! The first children of one parent, and the first children of each of many parents.

use std::fmt;

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document};

use super::{Children, ChildrenOf, ids_of};
use crate::{
    bounds::IntoId,
    error::Result,
    executor::Executor,
    explain::Explain,
    join::{Item, Joined, Loaded, load, query},
    model::{Model, OwnDocument, Projection},
    read::{Query, run},
    relation::one_by_one,
};

/// The first children of one parent in the order of the relation, to be read.
#[must_use = "nothing is read until it is awaited"]
pub struct Latest<P, C, T = C> {
    children: ChildrenOf<P, C, T>,
    count: u32,
}

impl<P, C, T> Latest<P, C, T> {
    pub(super) fn new(children: ChildrenOf<P, C, T>, count: u32) -> Self {
        Latest { children, count }
    }

    /// Reads the same children, but the server sends only the fields of `V`.
    pub fn select<V: Projection<Of = C>>(self) -> Latest<P, C, V>
    where
        C: Model + OwnDocument,
    {
        Latest { children: self.children.select(), count: self.count }
    }
}

impl<P: Model, C: Model + OwnDocument, T: Item> Latest<P, C, T> {
    /// Reads the children, by one query that ends after as many keys of the index of the relation.
    ///
    /// # Errors
    /// Errors of the server and the network. The result contains the documents that do not fit.
    pub async fn fetch_all(self, executor: &impl Executor) -> Result<Joined<T, C>> {
        let name = self.children.name();
        if self.count == 0 {
            // The server takes a limit of 0 as no limit.
            return Ok(Joined::of_query(name, Vec::new()));
        }
        one_by_one::children::<P, C>(self.children.field());
        load::all(executor, name, self.query()).await
    }
}

impl<P: Model, C: Model + OwnDocument, T: Item> Latest<P, C, T> {
    fn query(&self) -> Result<Query> {
        self.children.query().map(|children| children.latest(self.count))
    }
}

impl<P: Model, C: Model + OwnDocument, T: Item> Explain for Latest<P, C, T> {
    async fn explain(&self, executor: &impl Executor) -> Result<Document> {
        run::explain(executor, self.query()).await
    }
}

/// The first children of each of many parents in the order of the relation, to be read.
#[must_use = "nothing is read until it is awaited"]
pub struct LatestEach<P, C, T = C> {
    children: Children<P, C, T>,
    count: u32,
}

impl<P, C, T> LatestEach<P, C, T> {
    pub(super) fn new(children: Children<P, C, T>, count: u32) -> Self {
        LatestEach { children, count }
    }

    /// Reads the same children, but the server sends only the fields of `V`.
    pub fn select<V: Projection<Of = C>>(self) -> LatestEach<P, C, V>
    where
        C: Model + OwnDocument,
    {
        LatestEach { children: self.children.select(), count: self.count }
    }
}

impl<P: Model, C: Model, T: Item> LatestEach<P, C, T> {
    /// Loads by `_id`s like [`load`](LatestEach::load), also when the children may not be separate documents.
    pub(in crate::relation) fn load_each<'a>(
        self,
        executor: &'a impl Executor,
        parents: Result<Vec<Bson>>,
    ) -> BoxFuture<'a, Result<Loaded<P, C, T>>>
    where
        Self: 'a,
    {
        let Children { field, fields, .. } = self.children;
        Box::pin(load::load_latest(executor, field, parents, self.count, fields))
    }
}

impl<P: Model, C: Model + OwnDocument, T: Item> LatestEach<P, C, T> {
    /// Reads the first children of each parent, by commands of 100 parents, four at a time. For each parent the server examines as many
    /// keys of the index of the relation as the server sends children. Parents are documents, `_id`s, or [`Ref`](crate::bounds::Ref)s.
    ///
    /// # Errors
    /// Errors of the server and the network. The result contains the documents that do not fit.
    pub fn load<'a, K>(
        self,
        executor: &'a impl Executor,
        parents: impl IntoIterator<Item: IntoId<P, K>>,
    ) -> BoxFuture<'a, Result<Loaded<P, C, T>>>
    where
        Self: 'a,
    {
        self.load_each(executor, ids_of(parents))
    }

    /// Explains the read for these parents, in one command: returns the answer of the server to `explain`, with the counts of the
    /// execution.
    ///
    /// # Errors
    /// Errors of the server and the network.
    pub fn explain<'a, K>(
        self,
        executor: &'a impl Executor,
        parents: impl IntoIterator<Item: IntoId<P, K>>,
    ) -> BoxFuture<'a, Result<Document>> {
        let Children { field, fields, .. } = self.children;
        let rows = ids_of(parents).map(|ids| query::latest_each(C::DEFINITION, ids, field, self.count, fields));
        Box::pin(run::explain_rows(executor, rows))
    }
}

impl<P, C, T> Clone for Latest<P, C, T> {
    fn clone(&self) -> Self {
        Latest { children: self.children.clone(), count: self.count }
    }
}

impl<P, C, T> Clone for LatestEach<P, C, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P, C, T> Copy for LatestEach<P, C, T> {}

impl<P, C, T> fmt::Debug for Latest<P, C, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Latest").field(&self.children).field(&self.count).finish()
    }
}

impl<P, C, T> fmt::Debug for LatestEach<P, C, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("LatestEach").field(&self.children).field(&self.count).finish()
    }
}
