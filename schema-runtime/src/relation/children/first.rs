//! The first children of one parent, and the first children of each of many parents.

use derive_where::derive_where;
use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document};

use super::{Children, ChildrenOf, ids_of};
use crate::{
    bounds::IntoId,
    error::Result,
    executor::{Configurable, Executor, OperationOptions},
    explain::{self, Explain},
    join::{Item, Joined, Loaded, load, query},
    model::{Model, OwnDocument, Projection},
    mongosh::ToMongosh,
    read::{Aggregate, Query},
    relation::one_by_one,
};

/// The first children of one parent in the order of the relation, to be read.
#[must_use = "nothing is read until a read is awaited"]
#[derive_where(Clone, Debug)]
pub struct First<P, C, T = C> {
    children: ChildrenOf<P, C, T>,
    count: u32,
}

impl<P, C, T> First<P, C, T> {
    pub(super) fn new(children: ChildrenOf<P, C, T>, count: u32) -> Self {
        First { children, count }
    }

    /// Reads the same children, but the server sends only the fields of `V`.
    pub fn select<V: Projection<Of = C>>(self) -> First<P, C, V>
    where
        C: Model + OwnDocument,
    {
        First { children: self.children.select(), count: self.count }
    }
}

impl<P, C, T> Configurable for First<P, C, T> {
    fn configure(self, change: impl FnOnce(&mut OperationOptions)) -> Self {
        First { children: self.children.configure(change), ..self }
    }
}

impl<P: Model, C: Model + OwnDocument, T: Item> First<P, C, T> {
    /// Reads the children, by one query that ends after as many keys of the index of the relation.
    ///
    /// # Errors
    /// Errors of the server and the network. The result contains the documents that do not fit.
    pub async fn fetch_all(self, db: &impl Executor) -> Result<Joined<T, C>> {
        let name = self.children.name();
        if self.count == 0 {
            // The server takes a limit of 0 as no limit.
            return Ok(Joined::of_query(name, Vec::new()));
        }
        one_by_one::children::<P, C>(self.children.field());
        load::all(db, name, self.query()).await
    }
}

impl<P: Model, C: Model + OwnDocument, T: Item> First<P, C, T> {
    fn query(&self) -> Result<Query> {
        self.children.query().map(|children| children.first(self.count))
    }
}

impl<P: Model, C: Model + OwnDocument, T: Item> ToMongosh for First<P, C, T> {
    fn command(&self) -> Result<Document> {
        self.query().map(Query::into_command)
    }
}

impl<P: Model, C: Model + OwnDocument, T: Item> Explain for First<P, C, T> {}

/// The first children of each of many parents in the order of the relation, to be read.
#[must_use = "nothing is read until a read is awaited"]
#[derive_where(Clone, Copy, Debug)]
pub struct FirstEach<P, C, T = C> {
    children: Children<P, C, T>,
    count: u32,
}

impl<P, C, T> FirstEach<P, C, T> {
    pub(super) fn new(children: Children<P, C, T>, count: u32) -> Self {
        FirstEach { children, count }
    }

    /// Reads the same children, but the server sends only the fields of `V`.
    pub fn select<V: Projection<Of = C>>(self) -> FirstEach<P, C, V>
    where
        C: Model + OwnDocument,
    {
        FirstEach { children: self.children.select(), count: self.count }
    }
}

impl<P: Model, C: Model, T: Item> FirstEach<P, C, T> {
    /// Loads by `_id`s like [`load`](FirstEach::load), also when the children may not be separate documents.
    pub(in crate::relation) fn load_each<'a>(
        self,
        db: &'a impl Executor,
        parents: Result<Vec<Bson>>,
    ) -> BoxFuture<'a, Result<Loaded<P, C, T>>>
    where
        Self: 'a,
    {
        let (field, fields) = (self.children.field, self.children.fields());
        Box::pin(load::load_first(db, field, parents, self.count, fields))
    }
}

impl<P: Model, C: Model + OwnDocument, T: Item> FirstEach<P, C, T> {
    /// Reads the first children of each parent, by commands of 100 parents, four at a time. For each parent the server
    /// examines as many keys of the index of the relation as the server sends children. Parents are documents, `_id`s,
    /// or [`Ref`](crate::Ref)s.
    ///
    /// # Errors
    /// Errors of the server and the network. The result contains the documents that do not fit.
    pub fn load<'a, K>(
        self,
        db: &'a impl Executor,
        parents: impl IntoIterator<Item: IntoId<P, K>>,
    ) -> BoxFuture<'a, Result<Loaded<P, C, T>>>
    where
        Self: 'a,
    {
        self.load_each(db, ids_of(parents))
    }

    /// Explains the read for these parents, in one command: returns the answer of the server to `explain`, with the
    /// counts of the execution.
    ///
    /// # Errors
    /// Errors of the server and the network.
    pub fn explain<'a, K>(
        self,
        db: &'a impl Executor,
        parents: impl IntoIterator<Item: IntoId<P, K>>,
    ) -> BoxFuture<'a, Result<Document>> {
        let (field, fields) = (self.children.field, self.children.fields());
        let rows = ids_of(parents).map(|ids| query::first_each(C::DEFINITION, ids, field, self.count, fields));
        explain::command(db, rows.map(Aggregate::into_command))
    }
}
