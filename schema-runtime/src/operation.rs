//! Reads and writes the documents of one model. An operation reaches the database when the caller awaits the operation.

pub(crate) mod asked;
mod atomic;
mod bulk;
mod change_shard_key;
pub(crate) mod check_stored;
mod check_value;
mod delete;
mod engine;
pub(crate) mod find;
mod growth;
mod hidden;
mod identity;
mod lane;
pub(crate) mod managed;
pub(crate) mod new_value;
mod parts;
mod recompute;
mod replace;
mod selection;
mod sequence;
pub(crate) mod sharded;
mod shown;
mod together;
mod tree;
mod update;
mod upsert;
mod write;
mod write_effects;

use std::borrow::Borrow;

use futures_util::future::BoxFuture;
use mongodb::{Collection, Database, bson::DateTime};

use crate::{
    bounds::{IntoId, Reference},
    error::Result,
    executor::Executor,
    field::{Field, Filter},
    model::{Insertable, Model, OwnDocument, Updatable},
    read,
};

pub use bulk::{Bulk, BulkCounts, BulkOutcome, BulkReport, InBulk};
pub use change_shard_key::ChangeShardKey;
pub use check_value::CheckValue;
pub use delete::FindOneAndDelete;
pub(crate) use delete::WRITER;
pub use find::{Find, FindPage, FindScored, Having, IntoFind, Scored, declared_as};
use identity::{filter_of_value, has_id, note_by_id};
pub use recompute::Recompute;
pub use replace::FindOneAndReplace;
pub use tree::{Ancestors, Tree};
pub use update::{ById, FindOneAnd, Many, One, Update, Updated};
pub(crate) use update::{ItemUpdate, References, change_references};
pub use upsert::Upserted;
pub(crate) use write::{checked_all as ready_all, ready};

/// The operations on the documents of a model. Every model can be read; the derive of a model decides which writes the
/// model allows: a method that writes requires [`Insertable`] or [`Updatable`].
///
/// An `id` is the `_id`, a reference to the `_id`, a [`Ref`](crate::Ref) or a reference to the document; a `&str` if
/// the `_id` is a `String`. For a missing document, `find_..` returns `None`, and `get_..` returns an error.
pub trait Operations: Model + OwnDocument {
    /// Inserts the value: one `insert` command. The stored document has the current time in `#[created_at]` and
    /// `#[updated_at]`, whatever the value holds, and the `#[version]` of the value.
    ///
    /// # Errors
    /// [`Error::BoundExceeded`](crate::Error::BoundExceeded) and
    /// [`Error::DocumentTooLarge`](crate::Error::DocumentTooLarge) before anything is sent;
    /// [`Error::DocumentInvalid`](crate::Error::DocumentInvalid) and
    /// [`Error::DuplicateKey`](crate::Error::DuplicateKey) from the server.
    fn insert<'a>(db: &'a impl Executor, value: &Self) -> BoxFuture<'a, Result<()>>
    where
        Self: Insertable,
    {
        write::insert(db, Self::DEFINITION, write::checked(value), DateTime::now())
    }

    /// Inserts the value as [`insert`](Operations::insert) does, and sets the value's `#[created_at]` and
    /// `#[updated_at]` to the stored times: one `insert` command.
    ///
    /// # Errors
    /// The errors of [`insert`](Operations::insert). After an error the value is unchanged.
    fn create<'a>(db: &'a impl Executor, value: &'a mut Self) -> BoxFuture<'a, Result<()>>
    where
        Self: Insertable,
    {
        Box::pin(write::create(db, value))
    }

    /// Inserts the value that `build` makes from a source document, and returns the stored value:
    /// `LogMsg::insert_with(&db, &host, |host| LogMsg { ipaddr: host.ipaddr.clone(), .. })`. The copied fields agree
    /// with the source at the time of the insert: when the source changes in the meantime, the new values are stored.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) when the source is missing; the errors of
    /// [`insert`](Operations::insert).
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

    /// Inserts the values in order, in as few `insert` commands as the server allows: 100,000 documents or 48 MB each.
    /// All values are checked before the first command is sent. Without values no command is sent. To report progress,
    /// put the values into a bulk: [`Bulk::throttle`]. An unordered bulk is faster for children whose parents keep
    /// rollups: the bulk sorts the children by parent.
    ///
    /// # Errors
    /// [`Error::InsertMany`](crate::Error::InsertMany), with the position of the failed value, the number of values
    /// inserted before, and the cause: see [`insert`](Operations::insert).
    fn insert_many<'a>(
        db: &'a impl Executor,
        values: impl IntoIterator<Item: Borrow<Self>>,
    ) -> BoxFuture<'a, Result<()>>
    where
        Self: Insertable,
    {
        write::insert_many(db, Self::DEFINITION, write::checked_all(values))
    }

    /// Returns a query for the documents that match. The query is sent when a method of [`Find`] is awaited.
    fn find(filter: Filter<Self>) -> Find<Self> {
        Find::new(filter)
    }

    /// Finds a document that matches; `None` when no document matches.
    ///
    /// # Errors
    /// [`Error::Decode`](crate::Error::Decode) when the document does not fit the struct.
    fn find_one(db: &impl Executor, filter: Filter<Self>) -> impl Future<Output = Result<Option<Self>>> + Send {
        Self::find(filter).fetch_optional(db)
    }

    /// Finds a document that matches.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) when no document matches; [`Error::Decode`](crate::Error::Decode)
    /// when the document does not fit the struct.
    fn get(db: &impl Executor, filter: Filter<Self>) -> impl Future<Output = Result<Self>> + Send {
        Self::find(filter).fetch_one(db)
    }

    /// Finds the document with this `_id`; `None` when no document has the `_id`: `Airport::find_by_id(&db, "PHX")`.
    ///
    /// # Errors
    /// [`Error::Decode`](crate::Error::Decode) when the document does not fit the struct.
    fn find_by_id<K>(
        db: &impl Executor,
        id: impl IntoId<Self, K>,
    ) -> impl Future<Output = Result<Option<Self>>> + Send {
        note_by_id(Self::DEFINITION);
        Self::find(has_id(&id.into_id())).fetch_optional(db)
    }

    /// Finds the document with this `_id`.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) when no document has the `_id`;
    /// [`Error::Decode`](crate::Error::Decode) when the document does not fit the struct.
    fn get_by_id<K>(db: &impl Executor, id: impl IntoId<Self, K>) -> impl Future<Output = Result<Self>> + Send {
        note_by_id(Self::DEFINITION);
        Self::find(has_id(&id.into_id())).fetch_one(db)
    }

    /// Replaces the document with the `_id` of the value by the value: one `update` command. The stored document keeps
    /// `#[created_at]` and the `#[unversioned]` fields, has the current time in `#[updated_at]`, and has a `#[version]`
    /// one higher than the value's. The value still holds the old version afterwards: [`save`](Operations::save) sets
    /// the new version.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) when no document has the `_id`;
    /// [`Error::VersionConflict`](crate::Error::VersionConflict) when the model has a `#[version]` and the stored
    /// version is not the value's, which a second command finds out; all further errors of
    /// [`insert`](Operations::insert).
    fn replace<'a>(db: &'a impl Executor, value: &Self) -> BoxFuture<'a, Result<()>>
    where
        Self: Updatable,
    {
        replace::replace(db, replace::Put::of(value))
    }

    /// Replaces the document with the `_id` of the value, or inserts the value when no document has the `_id`. Then
    /// sets the value's `#[version]`, `#[created_at]`, `#[updated_at]` and `#[unversioned]` fields to the stored data,
    /// so that the value can be changed and saved again. A value of a model with a `#[version]` is inserted only at
    /// version 0: a higher version means that another client has deleted the document.
    ///
    /// Sends one `update` command, or one `findAndModify` for a model with `#[created_at]` or `#[unversioned]`; then
    /// one `insert` command when no document has the `_id`. [`create`](Operations::create) inserts a new value with one
    /// command.
    ///
    /// # Errors
    /// The errors of [`replace`](Operations::replace), with [`Error::NotFound`](crate::Error::NotFound) only for a
    /// value whose version is above 0. After an error the value is unchanged. When the transaction of a `save` is
    /// aborted afterwards, the value holds a version that is not stored: read the value in the callback, so that each
    /// attempt has a value of its own.
    fn save<'a>(db: &'a impl Executor, value: &'a mut Self) -> BoxFuture<'a, Result<()>>
    where
        Self: Updatable,
    {
        Box::pin(upsert::save(db, value))
    }

    /// Replaces the document with the `_id` of the value as [`replace`](Operations::replace) does, or inserts the value
    /// when no document has the `_id`. Returns whether the value was inserted. Sends one `update` command, and one
    /// `insert` command when the `update` finds no document. Copies and parents are updated as for both operations.
    ///
    /// # Errors
    /// The errors of [`replace`](Operations::replace), without [`Error::NotFound`](crate::Error::NotFound).
    fn upsert<'a>(db: &'a impl Executor, value: &Self) -> BoxFuture<'a, Result<bool>>
    where
        Self: Updatable,
    {
        upsert::one(db, Self::DEFINITION, value.id().to_bson(), write::checked(value))
    }

    /// Upserts the values, a thousand at a time: one `find` for the stored documents, and one bulk write. A value is
    /// upserted individually if another client inserts or deletes the document in the meantime, or if the `_id` comes a
    /// second time. Without values no command is sent.
    ///
    /// # Errors
    /// [`Error::Bulk`](crate::Error::Bulk) with the first cause, or the error of a single value: some values are
    /// written, and the whole call may be repeated. A model with a `#[version]` differs, because the values are put one
    /// by one: the first [`VersionConflict`](crate::Error::VersionConflict) is returned after all further values are
    /// put, and a repeated call conflicts on the replaced values. Documents that refer to each other with copies must
    /// be among the same thousand, or the sources must come first.
    fn upsert_many<'a>(
        db: &'a impl Executor,
        values: impl IntoIterator<Item: Borrow<Self> + Send + Sync, IntoIter: Send> + Send + 'a,
    ) -> BoxFuture<'a, Result<Upserted>>
    where
        Self: Updatable,
    {
        Box::pin(upsert::many(db, values))
    }

    /// Returns about the number of documents of the collection, by the metadata of the collection: one `count` command
    /// that reads no document. A cluster may count documents twice that a move between shards left behind, and after
    /// an unclean stop of a server the number may be wrong. [`Find::count`] counts exactly.
    ///
    /// # Errors
    /// [`Error::Query`](crate::Error::Query) in a transaction, where the server has no such count; the errors of the
    /// driver.
    fn estimated_count<'a>(db: &'a impl Executor) -> BoxFuture<'a, Result<u64>> {
        read::run::estimated_count(db, Self::DEFINITION.collection)
    }

    /// Changes the document with this `_id`: `Part::update_by_id(id).set(Part::F.name, "bolt").execute(&db)`.
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

    /// Changes one document that matches, and returns the document before ([`fetch_before`](Update::fetch_before)) or
    /// after ([`fetch_after`](Update::fetch_after)) the change.
    fn find_one_and_update(filter: Filter<Self>) -> Update<Self, FindOneAnd>
    where
        Self: Updatable,
    {
        Update::new(filter)
    }

    /// Deletes one document that matches, and returns the document: a queue gives each job to one worker.
    fn find_one_and_delete(filter: Filter<Self>) -> FindOneAndDelete<Self>
    where
        Self: Updatable,
    {
        FindOneAndDelete::new(filter)
    }

    /// Replaces one document that matches by the value, and returns the document before
    /// ([`fetch_before`](FindOneAndReplace::fetch_before)) or after ([`fetch_after`](FindOneAndReplace::fetch_after))
    /// the replacement. The stored document keeps the `_id`, whatever `_id` the value has.
    fn find_one_and_replace(filter: Filter<Self>, value: &Self) -> FindOneAndReplace<Self>
    where
        Self: Updatable,
    {
        FindOneAndReplace::new(filter, value)
    }

    /// Collects many writes, sent in one command for each kind of write: nothing is sent until
    /// [`execute`](Bulk::execute) is awaited.
    fn bulk() -> Bulk<Self> {
        Bulk::new()
    }

    /// Deletes the document with the value's `_id`. Returns whether a document was deleted.
    ///
    /// # Errors
    /// The errors of the driver.
    fn delete<'a>(db: &'a impl Executor, value: &Self) -> BoxFuture<'a, Result<bool>>
    where
        Self: Updatable,
    {
        delete::delete_one(db, Self::DEFINITION, filter_of_value(value))
    }

    /// Deletes the document with this `_id`. Returns whether a document was deleted.
    ///
    /// # Errors
    /// The errors of the driver.
    fn delete_by_id<'a, K>(db: &'a impl Executor, id: impl IntoId<Self, K>) -> BoxFuture<'a, Result<bool>>
    where
        Self: Updatable,
    {
        delete::delete_one(db, Self::DEFINITION, has_id::<Self>(&id.into_id()).into_document())
    }

    /// Deletes one document that matches. Returns whether a document was deleted.
    ///
    /// # Errors
    /// The errors of the driver.
    fn delete_one<'a>(db: &'a impl Executor, filter: Filter<Self>) -> BoxFuture<'a, Result<bool>>
    where
        Self: Updatable,
    {
        delete::delete_one(db, Self::DEFINITION, sharded::of_one(Self::DEFINITION, filter.into_document()))
    }

    /// Deletes all documents that match. Returns the number of deleted documents.
    ///
    /// # Errors
    /// The errors of the driver.
    fn delete_many<'a>(db: &'a impl Executor, filter: Filter<Self>) -> BoxFuture<'a, Result<u64>>
    where
        Self: Updatable,
    {
        delete::delete_many(db, Self::DEFINITION, filter.into_document())
    }

    /// Returns the driver's own collection: the way to write without this crate. The crate does not check the writes;
    /// the server does.
    ///
    /// **In the callback of a [`transaction`](crate::transaction()) the actions of this collection are no part of the
    /// transaction**, and an abort does not undo these actions. [`Transaction::run`](crate::Transaction::run) runs
    /// actions of the driver inside the transaction, with this collection as well:
    ///
    /// ```
    /// use schema_runtime::{prelude::*, transaction};
    ///
    /// # #[derive(Model, Serialize, Deserialize)]
    /// # #[model(collection = "accounts")]
    /// # struct Account { #[serde(rename = "_id")] id: i64, cents: i64 }
    /// async fn round(db: &Database) -> Result<()> {
    ///     transaction(db, |tx| async move {
    ///         tx.run("update", Some("accounts"), |db, session| {
    ///             Box::pin(async move {
    ///                 let rounded = vec![doc! { "$set": { "cents": { "$round": ["$cents", -2] } } }];
    ///                 Account::collection(db).update_many(doc! {}, rounded).session(session).await
    ///             })
    ///         })
    ///         .await?;
    ///         Ok(())
    ///     })
    ///     .await
    /// }
    /// ```
    fn collection(db: &Database) -> Collection<Self> {
        db.collection(Self::DEFINITION.collection)
    }
}

impl<M: Model + OwnDocument> Operations for M {}
