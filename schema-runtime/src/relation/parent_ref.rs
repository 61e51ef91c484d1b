//! A parent whose `_id` is in the child: `parent_ref`.

use std::marker::PhantomData;

use derive_where::derive_where;
use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document};

use super::{ChildrenOf, Lookup, one_by_one};
use crate::{
    bounds::IntoId,
    error::{Error, Result},
    executor::Executor,
    explain::Explain,
    field::Field,
    join::{Fields, Item, Joined, Loaded, Name, Visit, load, query},
    model::{Model, OwnDocument, Projection, all_fields, shown_fields},
    mongosh::ToMongosh,
    operation::IntoFind,
    read::{Documents, Query, run},
    relation::Children,
};

/// The relation by which a `C` holds the `_id` of a parent `P`; the parent is read into `T`. `NEWEST_FIRST` is of the
/// order of the [`Children`] of a parent.
#[derive_where(Clone, Copy, Debug)]
pub struct ParentRef<C, P: Model, T = P, const NEWEST_FIRST: bool = true> {
    field: &'static str,
    #[derive_where(skip(Debug))]
    visit: Visit<C, P>,
    #[derive_where(skip(Debug))]
    fields: Fields,
    #[derive_where(skip(Debug))]
    item: PhantomData<fn() -> T>,
}

impl<C, P: Model, const NEWEST_FIRST: bool> ParentRef<C, P, P, NEWEST_FIRST> {
    #[doc(hidden)]
    pub const fn new(field: &'static str, visit: Visit<C, P>) -> Self {
        ParentRef { field, visit, fields: shown_fields::<P>, item: PhantomData }
    }

    /// Returns the relation seen from the parent, for many parents.
    pub fn inverse(self) -> Children<P, C, C, NEWEST_FIRST> {
        Children::new(self.field)
    }

    /// Selects the children of a parent: the parent is a document, an `_id`, or a [`Ref`](crate::Ref).
    pub fn children<K>(self, parent: impl IntoId<P, K>) -> ChildrenOf<P, C, C, NEWEST_FIRST> {
        self.inverse().of(parent)
    }

    /// Selects the children of an `_id` as a value.
    #[doc(hidden)]
    pub fn children_by(self, parent: Result<Bson>) -> ChildrenOf<P, C, C, NEWEST_FIRST> {
        self.inverse().by(parent)
    }
}

impl<C, P: Model, T, const NEWEST_FIRST: bool> ParentRef<C, P, T, NEWEST_FIRST> {
    /// Returns the Rust name of the field that stores the relation.
    pub(super) const fn name_of_field(&self) -> &'static str {
        self.field
    }

    /// Selects the parent of a child.
    pub fn of(self, child: &C) -> ParentRefOf<'_, C, P, T> {
        ParentRefOf { relation: self.without_order(), child }
    }

    /// Reads the same parents, but the server sends only the fields of `V`.
    pub fn select<V: Projection<Of = P>>(self) -> ParentRef<C, P, V, NEWEST_FIRST> {
        ParentRef { field: self.field, visit: self.visit, fields: all_fields::<V>, item: PhantomData }
    }

    /// Returns the same relation, without the order in the type.
    fn without_order(self) -> ParentRef<C, P, T> {
        ParentRef { field: self.field, visit: self.visit, fields: self.fields, item: PhantomData }
    }
}

impl<C: Model, P: Model, T: Item, const NEWEST_FIRST: bool> ParentRef<C, P, T, NEWEST_FIRST> {
    /// Reads the parents of many children. Each parent is requested, sent and decoded once, by commands of 1,700
    /// `_id`s, four at a time.
    ///
    /// # Errors
    /// Errors of the server and the network. The result contains the references without a document and the documents
    /// that do not fit.
    pub fn load<'a>(
        self,
        db: &'a impl Executor,
        children: impl IntoIterator<Item = &'a C>,
    ) -> BoxFuture<'a, Result<Loaded<C, P, T>>>
    where
        Self: 'a,
    {
        let children: Vec<&C> = children.into_iter().collect();
        Box::pin(load::load(db, self.name(), children, self.visit, self.fields))
    }

    /// Finds children by a filter or a [`Find`](crate::operation::Find), each with the parent, joined on the server by
    /// one command (`$lookup`):
    /// `Post::AUTHOR.lookup(Post::find(filter).sort(Post::F.time.desc()).limit(50)).fetch_all(&db)`. The
    /// [`first`](crate::Joined::first) of a row is the parent. [`load`](ParentRef::load) reads a parent of many
    /// children only once.
    pub fn lookup(self, children: impl IntoFind<C>) -> Lookup<C, P, T>
    where
        C: Model + OwnDocument,
    {
        Lookup::referred(children, self.field, self.visit, self.fields)
    }

    /// Streams the documents with a reference to a missing document, by one aggregation that looks up each reference by
    /// `_id`. A delete, or a program without this crate, can leave such a reference.
    ///
    /// # Errors
    /// Errors of the server and the network; the stream also returns the errors of documents that do not fit.
    pub async fn orphans(self, db: &impl Executor) -> Result<Documents<C>>
    where
        C: Model + OwnDocument,
    {
        let rows = query::orphans(C::DEFINITION, P::DEFINITION, self.field);
        Ok(Documents::new(C::DEFINITION.collection, run::stream_rows(db, rows).await?))
    }

    fn name(&self) -> Name {
        Name::new(C::DEFINITION, self.field)
    }
}

/// The parent of a child, to be read: nothing reaches the server until a read is awaited.
#[must_use = "nothing is read until a read is awaited"]
#[derive_where(Clone, Copy, Debug)]
pub struct ParentRefOf<'a, C, P: Model, T = P> {
    relation: ParentRef<C, P, T>,
    #[derive_where(skip(Debug))]
    child: &'a C,
}

impl<'a, C, P: Model, T> ParentRefOf<'a, C, P, T> {
    /// Reads the same parent, but the server sends only the fields of `V`.
    pub fn select<V: Projection<Of = P>>(self) -> ParentRefOf<'a, C, P, V> {
        self.relation.select().of(self.child)
    }
}

impl<C: Model, P: Model, T: Item> ParentRefOf<'_, C, P, T> {
    /// Returns the parent by one `find`; `None` when the child has no reference, or when the parent is missing and the
    /// reference may dangle (`#[reference(may_dangle)]`). A child without a reference sends no `find`.
    ///
    /// # Errors
    /// [`Error::DanglingReference`] when no document has the `_id` in the child and the reference may not dangle;
    /// [`Error::Decode`] when the parent does not fit; and errors of the server and the network.
    pub async fn fetch_optional(self, db: &impl Executor) -> Result<Option<T>> {
        let ParentRef { field, visit, fields, .. } = self.relation;
        let may_dangle = C::DEFINITION.field(field).is_some_and(|field| field.may_dangle);
        let (relation, collection) = (self.relation.name(), P::DEFINITION.collection);
        let parent: Joined<T, P> = load::fetch(db, relation, self.child, visit, fields).await?;
        if !parent.is_empty() {
            one_by_one::referred::<C>(field);
        }
        if let Some(id) = parent.missing().next().filter(|_| !may_dangle) {
            let place = (relation.model, relation.field);
            return Err(Error::dangling(place, collection, id.to_bson()?, self.child.id().to_bson()?));
        }
        parent.into_first().transpose()
    }

    /// Returns the parent.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the child has no reference, or when the parent is missing and the reference may dangle;
    /// the other errors as [`fetch_optional`](ParentRefOf::fetch_optional).
    pub async fn fetch_one(self, db: &impl Executor) -> Result<T> {
        self.fetch_optional(db).await?.ok_or_else(|| Error::not_found(P::DEFINITION))
    }

    /// Returns whether the parent exists, by a `find` of a single `_id`; a child without a reference needs no command.
    ///
    /// # Errors
    /// Errors of the server and the network.
    pub async fn exists(self, db: &impl Executor) -> Result<bool> {
        load::exists::<C, P>(db, self.child, self.relation.visit).await
    }
}

impl<C: Model, P: Model, T: Item> ToMongosh for ParentRefOf<'_, C, P, T> {
    fn command(&self) -> Result<Document> {
        let query = load::query_of::<C, P>(self.child, self.relation.visit, self.relation.fields);
        query.map(Query::into_command)
    }
}

impl<C: Model, P: Model, T: Item> Explain for ParentRefOf<'_, C, P, T> {}
