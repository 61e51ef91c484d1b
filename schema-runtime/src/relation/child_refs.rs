//! Children whose `_id`s are in an array of their parent: `child_refs`.

use std::{fmt, marker::PhantomData};

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
    model::{Model, Projection, all_fields},
    operation::IntoFind,
    read::{self, Documents, run},
};

/// The relation by which a `P` holds the `_id`s of many `C`; they are read into `T`.
pub struct ChildRefs<P, C: Model, T = C> {
    field: &'static str,
    visit: Visit<P, C>,
    fields: Fields,
    item: PhantomData<fn() -> T>,
}

impl<P, C: Model> ChildRefs<P, C> {
    #[doc(hidden)]
    pub const fn new(field: &'static str, visit: Visit<P, C>) -> Self {
        ChildRefs { field, visit, fields: Document::new, item: PhantomData }
    }
}

impl<P, C: Model, T> ChildRefs<P, C, T> {
    /// The field that stores it, in Rust.
    pub(super) const fn name_of_field(&self) -> &'static str {
        self.field
    }

    /// The children of one parent.
    pub fn of(self, parent: &P) -> ChildRefsOf<'_, P, C, T> {
        ChildRefsOf { relation: self, parent }
    }

    /// The same, but the server sends the fields of `V` only.
    pub fn select<V: Projection<Of = C>>(self) -> ChildRefs<P, C, V> {
        ChildRefs { field: self.field, visit: self.visit, fields: all_fields::<V>, item: PhantomData }
    }
}

impl<P: Model, C: Model, T: Item> ChildRefs<P, C, T> {
    /// The children of many parents: each child is asked for, sent and decoded once, by commands of 1,700 `_id`s, four at a
    /// time. Needs a Tokio runtime, as the driver does.
    ///
    /// # Errors
    /// Those of the server and the network. References without a document, and documents that do not fit, are in the result.
    pub fn load<'a>(
        self,
        executor: &'a impl Executor,
        parents: impl IntoIterator<Item = &'a P>,
    ) -> BoxFuture<'a, Result<Loaded<P, C, T>>>
    where
        Self: 'a,
    {
        let parents: Vec<&P> = parents.into_iter().collect();
        Box::pin(load::load(executor, self.name(), parents, self.visit, self.fields))
    }

    /// The parents that a filter or a [`Find`](crate::operation::Find) finds, each with its children, joined on the server by one command (`$lookup`,
    /// unwound) and put back into the order of each array:
    /// `Product::PARTS.lookup(Product::F.name.eq("bolt")).fetch(&db)`. [`load`](ChildRefs::load) is faster wherever two round
    /// trips are.
    pub fn lookup(self, parents: impl IntoFind<P>) -> Lookup<P, C, T> {
        Lookup::referred(parents, self.field, self.visit, self.fields)
    }

    /// The documents that refer by it to what is not there, one after another, by one aggregation that looks each reference up by `_id`:
    /// where a delete has left them, or a program that is not this crate has written them.
    ///
    /// # Errors
    /// Those of the server and the network; from the stream also those of documents that do not fit.
    pub async fn orphans(self, executor: &impl Executor) -> Result<Documents<P>> {
        let rows = query::orphans(P::DEFINITION, C::DEFINITION, self.field);
        Ok(Documents::new(P::DEFINITION.collection, run::stream_rows(executor, rows).await?))
    }

    fn name(&self) -> Name {
        Name::new(P::DEFINITION, self.field)
    }
}

/// The children of one parent, to be read: nothing reaches the server until it is awaited.
#[must_use = "nothing is read until it is awaited"]
pub struct ChildRefsOf<'a, P, C: Model, T = C> {
    relation: ChildRefs<P, C, T>,
    parent: &'a P,
}

impl<'a, P, C: Model, T> ChildRefsOf<'a, P, C, T> {
    /// The same, but the server sends the fields of `V` only.
    pub fn select<V: Projection<Of = C>>(self) -> ChildRefsOf<'a, P, C, V> {
        self.relation.select().of(self.parent)
    }
}

impl<P: Model, C: Model, T: Item> ChildRefsOf<'_, P, C, T> {
    /// The children, in the order of the array and with its repeats, by one `$in` (more where the `_id`s take over 12 MB).
    ///
    /// # Errors
    /// Those of the server and the network. References without a document, and documents that do not fit, are in the result.
    pub async fn fetch(self, executor: &impl Executor) -> Result<Joined<T, C>> {
        let ChildRefs { field, visit, fields, .. } = self.relation;
        let children = load::fetch(executor, self.relation.name(), self.parent, visit, fields).await?;
        if !children.is_empty() {
            one_by_one::referred::<P>(field);
        }
        Ok(children)
    }

    /// How many of the children exist, each counted once.
    ///
    /// # Errors
    /// Those of the server and the network.
    pub async fn count(self, executor: &impl Executor) -> Result<u64> {
        load::count::<P, C>(executor, self.parent, self.relation.visit).await
    }

    /// Whether one of the children exists, by one `find` of one `_id`; no references are no command.
    ///
    /// # Errors
    /// Those of the server and the network.
    pub async fn exists(self, executor: &impl Executor) -> Result<bool> {
        load::exists::<P, C>(executor, self.parent, self.relation.visit).await
    }

    /// The distinct values of a field in the children, as [`Find::distinct`](crate::operation::Find::distinct) gives them.
    ///
    /// # Errors
    /// [`Error::Decode`](crate::Error::Decode) when a value does not fit the field's type, and those of the server and the network.
    pub fn distinct<'e, F>(self, executor: &'e impl Executor, field: F) -> BoxFuture<'e, Result<Vec<DistinctOf<F>>>>
    where
        F: Token<Model = C, Class: Distinct<F::Value>> + 'e,
        DistinctOf<F>: DeserializeOwned + 'e,
    {
        let _ = field;
        let query = load::query_of_all::<P, C>(self.parent, self.relation.visit);
        Box::pin(read::distinct::<C, F>(executor, query))
    }
}

impl<P: Model, C: Model, T: Item> Explain for ChildRefsOf<'_, P, C, T> {
    async fn explain(&self, executor: &impl Executor) -> Result<Document> {
        let query = load::query_of::<P, C>(self.parent, self.relation.visit, self.relation.fields);
        run::explain(executor, query).await
    }
}

impl<P, C: Model, T> Clone for ChildRefs<P, C, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P, C: Model, T> Copy for ChildRefs<P, C, T> {}

impl<P, C: Model, T> Clone for ChildRefsOf<'_, P, C, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P, C: Model, T> Copy for ChildRefsOf<'_, P, C, T> {}

impl<P, C: Model, T> fmt::Debug for ChildRefs<P, C, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("ChildRefs").field(&self.field).finish()
    }
}

impl<P, C: Model, T> fmt::Debug for ChildRefsOf<'_, P, C, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("ChildRefsOf").field(&self.relation.field).finish()
    }
}
