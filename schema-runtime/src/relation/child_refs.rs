//! Children whose `_id`s are in an array of the parent: `child_refs`.

use std::marker::PhantomData;

use derive_where::derive_where;
use futures_util::future::BoxFuture;
use mongodb::bson::Document;
use serde::de::DeserializeOwned;

use super::{Lookup, one_by_one};
use crate::{
    error::Result,
    executor::Executor,
    explain::Explain,
    field::{Distinct, DistinctOf, Token},
    join::{Fields, Item, Joined, Loaded, Name, Visit, load, query},
    model::{Model, Projection, all_fields, shown_fields},
    mongosh::ToMongosh,
    operation::IntoFind,
    read::{self, Documents, Query, run},
};

/// The relation by which a `P` holds the `_id`s of many `C`; the children are read into `T`.
#[derive_where(Clone, Copy, Debug)]
pub struct ChildRefs<P, C: Model, T = C> {
    field: &'static str,
    #[derive_where(skip(Debug))]
    visit: Visit<P, C>,
    #[derive_where(skip(Debug))]
    fields: Fields,
    #[derive_where(skip(Debug))]
    item: PhantomData<fn() -> T>,
}

impl<P, C: Model> ChildRefs<P, C> {
    #[doc(hidden)]
    pub const fn new(field: &'static str, visit: Visit<P, C>) -> Self {
        ChildRefs { field, visit, fields: shown_fields::<C>, item: PhantomData }
    }
}

impl<P, C: Model, T> ChildRefs<P, C, T> {
    /// Returns the Rust name of the field that stores the relation.
    pub(super) const fn name_of_field(&self) -> &'static str {
        self.field
    }

    /// Selects the children of a parent.
    pub fn of(self, parent: &P) -> ChildRefsOf<'_, P, C, T> {
        ChildRefsOf { relation: self, parent }
    }

    /// Reads the same children, but the server sends only the fields of `V`.
    pub fn select<V: Projection<Of = C>>(self) -> ChildRefs<P, C, V> {
        ChildRefs { field: self.field, visit: self.visit, fields: all_fields::<V>, item: PhantomData }
    }
}

impl<P: Model, C: Model, T: Item> ChildRefs<P, C, T> {
    /// Reads the children of many parents. Each child is requested, sent and decoded once, by commands of 1,700 `_id`s,
    /// four at a time. Needs a Tokio runtime, as the driver does.
    ///
    /// # Errors
    /// Errors of the server and the network. The result contains the references without a document and the documents
    /// that do not fit.
    pub fn load<'a>(
        self,
        db: &'a impl Executor,
        parents: impl IntoIterator<Item = &'a P>,
    ) -> BoxFuture<'a, Result<Loaded<P, C, T>>>
    where
        Self: 'a,
    {
        let parents: Vec<&P> = parents.into_iter().collect();
        Box::pin(load::load(db, self.name(), parents, self.visit, self.fields))
    }

    /// Finds parents by a filter or a [`Find`](crate::operation::Find), each with the children, joined on the server by
    /// one command (`$lookup`, unwound) and put back into the order of each array:
    /// `Product::PARTS.lookup(Product::F.name.eq("bolt")).fetch_all(&db)`. [`load`](ChildRefs::load) is faster wherever
    /// two round trips are acceptable.
    pub fn lookup(self, parents: impl IntoFind<P>) -> Lookup<P, C, T> {
        Lookup::referred(parents, self.field, self.visit, self.fields)
    }

    /// Streams the documents with a reference to a missing document, by one aggregation that looks up each reference by
    /// `_id`. A delete, or a program without this crate, can leave such a reference.
    ///
    /// # Errors
    /// Errors of the server and the network; the stream also returns the errors of documents that do not fit.
    pub async fn orphans(self, db: &impl Executor) -> Result<Documents<P>> {
        let rows = query::orphans(P::DEFINITION, C::DEFINITION, self.field);
        Ok(Documents::new(P::DEFINITION.collection, run::stream_rows(db, rows).await?))
    }

    fn name(&self) -> Name {
        Name::new(P::DEFINITION, self.field)
    }
}

/// The children of a parent, to be read: nothing reaches the server until a read is awaited.
#[must_use = "nothing is read until a read is awaited"]
#[derive_where(Clone, Copy, Debug)]
pub struct ChildRefsOf<'a, P, C: Model, T = C> {
    relation: ChildRefs<P, C, T>,
    #[derive_where(skip(Debug))]
    parent: &'a P,
}

impl<'a, P, C: Model, T> ChildRefsOf<'a, P, C, T> {
    /// Reads the same children, but the server sends only the fields of `V`.
    pub fn select<V: Projection<Of = C>>(self) -> ChildRefsOf<'a, P, C, V> {
        self.relation.select().of(self.parent)
    }
}

impl<P: Model, C: Model, T: Item> ChildRefsOf<'_, P, C, T> {
    /// Reads the children, in the order of the array and with the repeats, by one `$in` (more when the `_id`s take over
    /// 12 MB).
    ///
    /// # Errors
    /// Errors of the server and the network. The result contains the references without a document and the documents
    /// that do not fit.
    pub async fn fetch_all(self, db: &impl Executor) -> Result<Joined<T, C>> {
        let ChildRefs { field, visit, fields, .. } = self.relation;
        let children = load::fetch(db, self.relation.name(), self.parent, visit, fields).await?;
        if !children.is_empty() {
            one_by_one::referred::<P>(field);
        }
        Ok(children)
    }

    /// Counts the children that exist, each child once.
    ///
    /// # Errors
    /// Errors of the server and the network.
    pub async fn count(self, db: &impl Executor) -> Result<u64> {
        load::count::<P, C>(db, self.parent, self.relation.visit).await
    }

    /// Returns whether a child exists, by a `find` of a single `_id`; sends no command without references.
    ///
    /// # Errors
    /// Errors of the server and the network.
    pub async fn exists(self, db: &impl Executor) -> Result<bool> {
        load::exists::<P, C>(db, self.parent, self.relation.visit).await
    }

    /// Returns the distinct values of a field in the children, as [`Find::distinct`](crate::operation::Find::distinct)
    /// does.
    ///
    /// # Errors
    /// [`Error::Decode`](crate::Error::Decode) when a value does not fit the type of the field, and errors of the
    /// server and the network.
    pub fn distinct<'e, F>(self, db: &'e impl Executor, field: F) -> BoxFuture<'e, Result<Vec<DistinctOf<F>>>>
    where
        F: Token<Model = C, Class: Distinct<F::Value>> + 'e,
        DistinctOf<F>: DeserializeOwned + 'e,
    {
        let _ = field;
        let query = load::query_of_all::<P, C>(self.parent, self.relation.visit);
        Box::pin(read::distinct::<C, F>(db, query))
    }
}

impl<P: Model, C: Model, T: Item> ToMongosh for ChildRefsOf<'_, P, C, T> {
    fn command(&self) -> Result<Document> {
        let query = load::query_of::<P, C>(self.parent, self.relation.visit, self.relation.fields);
        query.map(Query::into_command)
    }
}

impl<P: Model, C: Model, T: Item> Explain for ChildRefsOf<'_, P, C, T> {}
