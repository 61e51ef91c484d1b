//! Reading and writing the documents of one model. What is awaited reaches the database, nothing else does.

mod atomic;
mod bound;
mod bulk;
mod change_shard_key;
mod delete;
mod effects;
mod find;
mod growth;
mod lane;
mod managed;
mod recompute;
mod replace;
mod sharded;
mod together;
mod tree;
mod update;
mod upsert;
mod write;

use std::borrow::Borrow;

use futures_util::future::BoxFuture;
use mongodb::{
    Collection, Database,
    bson::{DateTime, Document},
};

use crate::{
    bounds::{IntoId, Reference},
    codec,
    definition::ModelDefinition,
    derived::rollup::Recomputed,
    error::{self, Result},
    executor::{Executor, Read, note_read},
    field::{Field, Filter},
    model::{Insertable, Model, OwnDocument, Updatable},
};

pub use bulk::{Bulk, BulkCounts, BulkOutcome, BulkReport, InBulk};
pub(crate) use delete::OTHERS;
pub use find::{Find, FindPage, IntoFind, declared, declared_as, pages_of};
pub use managed::set_managed;
pub use sharded::assert_targeted;
pub use tree::{Ancestors, Tree};
pub use update::{ById, FindOneAnd, Many, One, Update, Updated};
pub(crate) use update::{ItemUpdate, References, change_references};
pub use upsert::Upserted;
pub(crate) use write::{checked_all as ready_all, ready};

/// What can be done with the documents of a model. Every model is read; a model is written as its derive says: a method that
/// writes asks for [`Insertable`] or [`Updatable`].
///
/// An `id` is the `_id`, a reference to it, a [`Ref`](crate::bounds::Ref) or a reference to the document; a `&str` where it is a
/// `String`. `find_..` gives an `Option`, `get_..` an error where there is no document.
pub trait Operations: Model + OwnDocument {
    /// Inserts the value: one `insert` command. What is stored has `#[created_at]` and `#[updated_at]` of now, whatever the
    /// value holds, and the `#[version]` that it holds.
    ///
    /// # Errors
    /// [`Error::BoundExceeded`](crate::Error::BoundExceeded) and [`Error::DocumentTooLarge`](crate::Error::DocumentTooLarge) before anything is sent; [`Error::DocumentInvalid`](crate::Error::DocumentInvalid) and
    /// [`Error::DuplicateKey`](crate::Error::DuplicateKey) from the server.
    fn insert<'a>(db: &'a impl Executor, value: &Self) -> BoxFuture<'a, Result<()>>
    where
        Self: Insertable,
    {
        write::insert(db, Self::DEFINITION, write::checked(value), DateTime::now())
    }

    /// Inserts the value as [`insert`](Operations::insert) does, and sets its `#[created_at]` and `#[updated_at]` to what is
    /// stored: one `insert` command.
    ///
    /// # Errors
    /// As of [`insert`](Operations::insert); the value is then as it was.
    fn create<'a>(db: &'a impl Executor, value: &'a mut Self) -> BoxFuture<'a, Result<()>>
    where
        Self: Insertable,
    {
        Box::pin(write::create(db, value))
    }

    /// Inserts what `build` makes of a source, and gives what is stored: `LogMsg::insert_with(&db, &host, |host| LogMsg { ipaddr:
    /// host.ipaddr.clone(), .. })`. What is copied from the source is as it is then: when it moves on meanwhile, the new
    /// value is stored.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) when the source is not there; as of [`insert`](Operations::insert).
    fn insert_with<'a, R: Reference + Sync>(
        db: &'a impl Executor,
        source: &'a R,
        build: impl FnOnce(&R::Target) -> Self + Send + 'a,
    ) -> BoxFuture<'a, Result<Self>>
    where
        Self: Insertable,
    {
        Box::pin(write::insert_with(db, source, build))
    }

    /// Inserts the values in their order, in as few `insert` commands as the server allows: 100,000 documents or 48 MB
    /// each. All of them are checked before the first is sent. No values are no command. For a progress, put them into a bulk:
    /// [`Bulk::throttle`].
    ///
    /// # Errors
    /// [`Error::InsertMany`](crate::Error::InsertMany), with the position of the value, how many were inserted before, and why: see
    /// [`insert`](Operations::insert).
    fn insert_many<'a>(
        db: &'a impl Executor,
        values: impl IntoIterator<Item: Borrow<Self>>,
    ) -> BoxFuture<'a, Result<()>>
    where
        Self: Insertable,
    {
        write::insert_many(db, Self::DEFINITION, write::checked_all(values))
    }

    /// The documents that match. Nothing is asked until a method of [`Find`] is awaited.
    fn find(filter: Filter<Self>) -> Find<Self> {
        Find::new(filter)
    }

    /// A document that matches, if there is one.
    ///
    /// # Errors
    /// [`Error::Decode`](crate::Error::Decode) when it does not fit the struct.
    fn find_one(db: &impl Executor, filter: Filter<Self>) -> impl Future<Output = Result<Option<Self>>> + Send {
        Self::find(filter).one(db)
    }

    /// A document that matches.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) when there is none; [`Error::Decode`](crate::Error::Decode) when it does not fit the struct.
    fn get(db: &impl Executor, filter: Filter<Self>) -> impl Future<Output = Result<Self>> + Send {
        Self::find(filter).get(db)
    }

    /// The document with this `_id`, if there is one: `Airport::find_by_id(&db, "PHX")`.
    ///
    /// # Errors
    /// [`Error::Decode`](crate::Error::Decode) when it does not fit the struct.
    fn find_by_id<K>(
        db: &impl Executor,
        id: impl IntoId<Self, K>,
    ) -> impl Future<Output = Result<Option<Self>>> + Send {
        note_by_id(Self::DEFINITION);
        Self::find(has_id(&id.into_id())).one(db)
    }

    /// The document with this `_id`.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) when there is none; [`Error::Decode`](crate::Error::Decode) when it does not fit the struct.
    fn get_by_id<K>(db: &impl Executor, id: impl IntoId<Self, K>) -> impl Future<Output = Result<Self>> + Send {
        note_by_id(Self::DEFINITION);
        Self::find(has_id(&id.into_id())).get(db)
    }

    /// Puts the value in the place of the document with its `_id`: one `update` command. What is stored keeps its
    /// `#[created_at]` and its `#[unversioned]` fields, has `#[updated_at]` of now and a `#[version]` that is one more than the value's. The
    /// value then holds an old version: [`save`](Operations::save) sets it.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) when there is none; [`Error::VersionConflict`](crate::Error::VersionConflict)
    /// when the model has a `#[version]` and the stored one is not the value's, which a second command finds out; the others as
    /// of [`insert`](Operations::insert).
    fn replace<'a>(db: &'a impl Executor, value: &Self) -> BoxFuture<'a, Result<()>>
    where
        Self: Updatable,
    {
        replace::replace(db, replace::Put::of(value))
    }

    /// Puts the value in the place of the document with its `_id` as [`replace`](Operations::replace) does, and sets its
    /// `#[version]`, `#[created_at]`, `#[updated_at]` and `#[unversioned]` fields to what is stored, so that it can be changed and saved again.
    /// One `update` command, or one `findAndModify` for a model with `#[created_at]` or `#[unversioned]`.
    ///
    /// # Errors
    /// As of [`replace`](Operations::replace); the value is then as it was. When a transaction is aborted after this, the value
    /// holds a version that is not stored: read it in the callback, so that each attempt has its own.
    fn save<'a>(db: &'a impl Executor, value: &'a mut Self) -> BoxFuture<'a, Result<()>>
    where
        Self: Updatable,
    {
        Box::pin(replace::save(db, value))
    }

    /// Puts the value in the place of the document with its `_id` as [`replace`](Operations::replace) does, or inserts it where there is none, and
    /// says whether it is inserted. One `update`, and one `insert` where that finds nothing; the copies and the parents follow as of
    /// these.
    ///
    /// # Errors
    /// As of [`replace`](Operations::replace), without [`Error::NotFound`](crate::Error::NotFound).
    fn upsert<'a>(db: &'a impl Executor, value: &Self) -> BoxFuture<'a, Result<bool>>
    where
        Self: Updatable,
    {
        upsert::one(db, Self::DEFINITION, value.id().to_bson(), write::checked(value))
    }

    /// Upserts the values, a thousand at a time: one `find` of those that are there, and one bulk write. What another client inserts or deletes
    /// meanwhile is upserted by itself, as is an `_id` that comes a second time. No values are no command.
    ///
    /// # Errors
    /// [`Error::Bulk`](crate::Error::Bulk) with the first cause, or that of one value: some are done, and all of it may be done again. Not so of a model
    /// with a `#[version]`, whose values are put one by one: what is done is then the first [`VersionConflict`](crate::Error::VersionConflict), after all others are put. Documents that refer to
    /// each other with copies are among the same thousand, or their sources before them.
    fn upsert_many<'a>(
        db: &'a impl Executor,
        values: impl IntoIterator<Item: Borrow<Self> + Send + Sync, IntoIter: Send> + Send + 'a,
    ) -> BoxFuture<'a, Result<Upserted>>
    where
        Self: Updatable,
    {
        Box::pin(upsert::many(db, values))
    }

    /// Changes the document with this `_id`: `Part::update_by_id(id).set(Part::F.name, "bolt").run(&db)`.
    fn update_by_id<K>(id: impl IntoId<Self, K>) -> Update<Self, ById>
    where
        Self: Updatable,
    {
        Update::new(has_id(&id.into_id()))
    }

    /// Changes one document that matches.
    fn update_one(filter: Filter<Self>) -> Update<Self, One>
    where
        Self: Updatable,
    {
        Update::new(filter)
    }

    /// Changes all documents that match.
    fn update_many(filter: Filter<Self>) -> Update<Self, Many>
    where
        Self: Updatable,
    {
        Update::new(filter)
    }

    /// Changes one document that matches, and gives it as it was [`return_before`](Update::return_before) or is [`return_after`](Update::return_after).
    fn find_one_and_update(filter: Filter<Self>) -> Update<Self, FindOneAnd>
    where
        Self: Updatable,
    {
        Update::new(filter)
    }

    /// Many writes in one command for each kind: nothing is sent until [`run`](Bulk::run) is awaited.
    fn bulk() -> Bulk<Self> {
        Bulk::new()
    }

    /// Gives the document of a value the shard key of another one with the same `_id`, and leaves its other fields as they are: one `update`
    /// command, with the whole key that it has in its filter. In a cluster the document moves to another shard by it, for which the driver
    /// sends a retryable write; in a transaction it is a part of that.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) when no document has the `_id`, the shard key and the `#[version]` of `value`;
    /// [`Error::Update`](crate::Error::Update) when the `_id`s differ; [`Error::DuplicateKey`](crate::Error::DuplicateKey) from the server.
    fn change_shard_key<'a>(db: &'a impl Executor, value: &Self, new: &Self) -> BoxFuture<'a, Result<()>>
    where
        Self: Updatable,
    {
        const {
            assert!(
                matches!(Self::SHARD_KEY, Some(key) if !key.is_id(Self::DEFINITION)),
                "there is no shard key to change: this model has none, or is sharded by its `_id`, which never changes"
            )
        };
        change_shard_key::change(db, Self::DEFINITION, (write::checked(value), write::checked(new)))
    }

    /// Deletes the document with the value's `_id`, and says whether there was one.
    ///
    /// # Errors
    /// Those of the driver.
    fn delete<'a>(db: &'a impl Executor, value: &Self) -> BoxFuture<'a, Result<bool>>
    where
        Self: Updatable,
    {
        delete::delete_one(db, Self::DEFINITION, filter_of_value(value))
    }

    /// Deletes the document with this `_id`, and says whether there was one.
    ///
    /// # Errors
    /// Those of the driver.
    fn delete_by_id<'a, K>(db: &'a impl Executor, id: impl IntoId<Self, K>) -> BoxFuture<'a, Result<bool>>
    where
        Self: Updatable,
    {
        delete::delete_one(db, Self::DEFINITION, has_id::<Self>(&id.into_id()).into_document())
    }

    /// Deletes one document that matches, and says whether there was one.
    ///
    /// # Errors
    /// Those of the driver.
    fn delete_one<'a>(db: &'a impl Executor, filter: Filter<Self>) -> BoxFuture<'a, Result<bool>>
    where
        Self: Updatable,
    {
        delete::delete_one(db, Self::DEFINITION, sharded::of_one(Self::DEFINITION, filter.into_document()))
    }

    /// Deletes all documents that match, and says how many.
    ///
    /// # Errors
    /// Those of the driver.
    fn delete_many<'a>(db: &'a impl Executor, filter: Filter<Self>) -> BoxFuture<'a, Result<u64>>
    where
        Self: Updatable,
    {
        delete::delete_many(db, Self::DEFINITION, filter.into_document())
    }

    /// Recomputes from the children what the document with this `_id` keeps of them, and says whether it is there. Writes of
    /// children do this by themselves; this repairs what was written bypassing this crate.
    ///
    /// # Errors
    /// Those of the driver.
    fn recompute<'a, K>(db: &'a Database, id: impl IntoId<Self, K>) -> BoxFuture<'a, Result<bool>>
    where
        Self: Updatable,
    {
        const {
            assert!(
                !Self::ROLLUPS.is_empty(),
                "there is nothing to recompute: this model has no `#[subset(..)]` and no `#[computed(..)]`"
            )
        };
        recompute::one(db, Self::DEFINITION, id.into_id_value())
    }

    /// The same for all documents. What the server refuses to write, as a parent that its validator does not take, is counted, and does not end
    /// it.
    ///
    /// # Errors
    /// Those of the driver.
    fn recompute_all<'a>(db: &'a Database) -> BoxFuture<'a, Result<Recomputed>>
    where
        Self: Updatable,
    {
        const {
            assert!(
                !Self::ROLLUPS.is_empty(),
                "there is nothing to recompute: this model has no `#[subset(..)]` and no `#[computed(..)]`"
            )
        };
        recompute::all(db, Self::DEFINITION)
    }

    /// The driver's own collection: the way out. Nothing checks what is written through it but the server.
    fn collection(database: &Database) -> Collection<Self> {
        database.collection(Self::DEFINITION.collection)
    }
}

impl<M: Model + OwnDocument> Operations for M {}

/// One document is read by its `_id`.
fn note_by_id(model: &'static ModelDefinition) {
    note_read(Read { model: model.model, by: "_id", is_far_side: false }, || {
        let id = model.fields.iter().find(|field| field.name == "_id").map_or("id", |field| field.rust_name);
        format!("{0}::find({0}::F.{id}.is_in(ids)).fetch(&db)", model.model)
    });
}

/// The filter of a value's document: its `_id`, with its shard key where it has one.
fn filter_of_value<M: Model>(value: &M) -> Result<Document> {
    if const { M::SHARD_KEY.is_none() } {
        return has_id::<M>(value.id()).into_document();
    }
    let document = codec::encode(value).map_err(error::Error::encode)?;
    sharded::filter_of(M::DEFINITION, value.id().to_bson()?, &document)
}

fn has_id<M: Model>(id: &M::Id) -> Filter<M> {
    Filter::equal("_id".to_owned(), id.to_bson())
}
