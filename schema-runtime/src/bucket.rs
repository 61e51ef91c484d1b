//! Children of a parent in buckets: each bucket is a document with many children. The protocol is
//! `docs/buckets-protocol.md`.

mod back;
mod child;
mod children;
mod compact;
mod find;
mod insert;
mod into;
pub(crate) mod layout;
mod open;
mod order;
mod push;
pub(crate) mod refused;
mod step;
pub(crate) mod stored;
mod target;
mod update;

use std::borrow::Borrow;

use futures_util::future::BoxFuture;
use mongodb::{
    Database,
    bson::{DateTime, RawDocumentBuf},
};

pub use children::{BucketStatistics, ChildrenInBuckets, InBuckets, LatestInBuckets, PageInBuckets};
pub use compact::Compacted;
pub use update::UpdateChild;

use crate::{
    bounds::IntoId,
    checks,
    definition::{BucketDefinition, ModelDefinition},
    derived::throttle::Throttle,
    error::{Error, Result},
    executor::Executor,
    field::{Field, Filter},
    model::{Insertable, Model, OwnDocument, Updatable},
    operation::{self, Find},
    read,
};
use layout::Layout;

/// A model whose values are stored in buckets (`#[model(.., bucket(size = 50))]`), with the operations on the values.
/// The derive implements the trait.
///
/// A value of the model is a child. A bucket is a document with up to `size` children of one parent. An `id` is the
/// `_id` of a child, a reference to the `_id`, a [`Ref`](crate::Ref) or a reference to the value.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not stored in buckets: each child is a separate document",
    label = "this call needs children in buckets",
    note = "help: read children that are documents with `fetch_all`, `paginate`, `first` or `stream`; or store the children in buckets: `#[model(.., bucket(size = 50))]`"
)]
pub trait Bucketed: Model {
    /// The parent of the children.
    type Parent: Model;
    #[doc(hidden)]
    const BUCKET: &'static BucketDefinition;
    #[doc(hidden)]
    const DOCUMENTS: &'static ModelDefinition;

    /// Inserts the child into the last bucket of the parent, or into a new bucket. The insert is one update when this
    /// process has inserted into the bucket before and the child comes after the stored children in the order.
    /// Otherwise the insert is a `find` of the number of the bucket and one upsert. The stored child has
    /// `#[created_at]` and `#[updated_at]` of now, whatever the value holds.
    ///
    /// # Errors
    /// [`Error::BoundExceeded`] before anything is sent; [`Error::DocumentInvalid`] from the server;
    /// [`Error::DuplicateKey`] when a bucket already has a child with the same `_id`.
    fn insert<'a>(db: &'a impl Executor, value: &Self) -> BoxFuture<'a, Result<()>>
    where
        Self: Insertable,
    {
        insert::insert(db, layout_of::<Self>(), operation::ready(value))
    }

    /// Inserts the children. The children of one parent are inserted in their order, and one command inserts as many
    /// children as the bucket has capacity for. All children are checked before the first command is sent. An empty
    /// list sends no command.
    ///
    /// # Errors
    /// [`Error::InsertMany`] with the number of children inserted before the error, the position of the refused value
    /// if one value is the cause, and the source of the error: see [`insert`](Bucketed::insert). The other children of
    /// the refused push are not inserted.
    fn insert_many<'a>(
        db: &'a impl Executor,
        values: impl IntoIterator<Item: Borrow<Self>>,
    ) -> BoxFuture<'a, Result<()>>
    where
        Self: Insertable,
    {
        insert::insert_many(db, layout_of::<Self>(), operation::ready_all::<Self>(values))
    }

    /// Finds the children that match the filter, in any bucket of any parent, by one `aggregate` (`$match`, `$unwind`,
    /// `$match`). The first `$match` selects whole buckets by the conditions on the parent, on the `_id`, on the time
    /// of `by` and on each field. So the indexes of the model serve the conditions. A sort runs in the memory of the
    /// server. [`post.comments()`](ChildrenInBuckets) reads the children of one parent in their order.
    ///
    /// The read fails with [`Error::Query`] when the filter has `near` or uses a text index: `near` and a text index
    /// find whole documents.
    fn find(filter: Filter<Self>) -> Find<Self> {
        Find::over_what(filter, |filter| find::stages(&layout_of::<Self>(), filter))
    }

    /// Returns one child that matches the filter; `None` when no child matches.
    ///
    /// # Errors
    /// [`Error::Decode`] when the child does not fit the struct.
    fn find_one(db: &impl Executor, filter: Filter<Self>) -> impl Future<Output = Result<Option<Self>>> + Send {
        Self::find(filter).fetch_optional(db)
    }

    /// Returns one child that matches the filter.
    ///
    /// # Errors
    /// [`Error::NotFound`] when no child matches; [`Error::Decode`] when the child does not fit the struct.
    fn get(db: &impl Executor, filter: Filter<Self>) -> impl Future<Output = Result<Self>> + Send {
        Self::find(filter).fetch_one(db)
    }

    /// Returns the child with the `_id`; `None` when no such child exists. One `find`; the server sends only the one
    /// child of the bucket.
    ///
    /// # Errors
    /// [`Error::Decode`] when the child does not fit the struct.
    fn find_by_id<'a, K>(db: &'a impl Executor, id: impl IntoId<Self, K>) -> BoxFuture<'a, Result<Option<Self>>> {
        let found = find_by_id(db, layout_of::<Self>(), id.into_id_value());
        Box::pin(async move { found.await?.map(|child| read::decode(Self::DEFINITION.collection, &child)).transpose() })
    }

    /// Returns the child with the `_id`.
    ///
    /// # Errors
    /// [`Error::NotFound`] when no child has the `_id`; [`Error::Decode`] when the child does not fit the struct.
    fn get_by_id<'a, K>(db: &'a impl Executor, id: impl IntoId<Self, K>) -> BoxFuture<'a, Result<Self>> {
        let found = Self::find_by_id(db, id);
        Box::pin(async move { found.await?.ok_or_else(|| Error::not_found(Self::DEFINITION)) })
    }

    /// Starts an update of the child with the `_id`:
    /// `Comment::update_by_id(id).set(Comment::F.text, "so it is").execute(&db)`.
    fn update_by_id<K>(id: impl IntoId<Self, K>) -> UpdateChild<Self>
    where
        Self: Updatable,
    {
        UpdateChild::new(id.into_id_value())
    }

    /// Deletes the child. Returns whether the child existed. The bucket then has capacity for another child.
    ///
    /// # Errors
    /// Errors of the driver.
    fn delete<'a>(db: &'a impl Executor, value: &Self) -> BoxFuture<'a, Result<bool>>
    where
        Self: Updatable,
    {
        child::delete(db, layout_of::<Self>(), value.id().to_bson())
    }

    /// Deletes the child with the `_id`. Returns whether the child existed.
    ///
    /// # Errors
    /// Errors of the driver.
    fn delete_by_id<'a, K>(db: &'a impl Executor, id: impl IntoId<Self, K>) -> BoxFuture<'a, Result<bool>>
    where
        Self: Updatable,
    {
        child::delete(db, layout_of::<Self>(), id.into_id_value())
    }

    /// Fills the buckets of a parent after deletes: moves the children of later buckets, in their order, to earlier
    /// buckets with capacity, and marks empty buckets. A later run, at least an hour after the mark, deletes the marked
    /// buckets at the end. For buckets by time, each day or hour is compacted separately. A compact may run at any
    /// time, beside all writers and beside another compact. After an interruption, run the compact again. Each move is
    /// a transaction on two buckets, and begins again when another client writes one of the two buckets. A compact
    /// reads the numbers of the buckets and only the children to move.
    ///
    /// # Errors
    /// [`Error::NotReplicaSet`] on a standalone, when there are children to move. [`Error::DocumentInvalid`] at a
    /// bucket that [`repair`](crate::Schema::repair) has to write first.
    fn compact<'a, K>(db: &'a Database, parent: impl IntoId<Self::Parent, K>) -> BoxFuture<'a, Result<Compacted>>
    where
        Self: Updatable,
    {
        compact::compact(db, layout_of::<Self>(), parent.into_id_value(), None)
    }

    /// Compacts only the buckets of the day or the hour that contains the time: see [`compact`](Bucketed::compact).
    ///
    /// # Errors
    /// As [`compact`](Bucketed::compact).
    fn compact_at<'a, K>(
        db: &'a Database,
        parent: impl IntoId<Self::Parent, K>,
        time: DateTime,
    ) -> BoxFuture<'a, Result<Compacted>>
    where
        Self: Updatable + ByTime,
    {
        compact::compact(db, layout_of::<Self>(), parent.into_id_value(), Some(time))
    }

    /// Moves all documents of `L` into buckets of this model. Returns the number of moved documents. `L` is a model
    /// with its own collection, with the same stored fields and the same relation to the parent, and without derived
    /// data (copies, rollups, cascading deletes): a migration only moves documents. Documents move as stored, with
    /// fields that no struct knows. The documents of each parent move in their order; `#[created_at]` and
    /// `#[updated_at]` stay.
    ///
    /// Each step is one transaction of at most [`chunk`](Throttle::chunk) documents and never more than 1,000. The
    /// transaction removes the documents from one collection and adds the children to the other. Nothing else is
    /// stored: after an interruption, run the migration again to continue. Several migrations may run at once. Run the
    /// migration while no client writes the children. When a client does write, nothing is lost, but new children and
    /// children not yet migrated have no common order. Updates and deletes look for a child in `L` first, then in the
    /// buckets. Plan and apply this model first, because the indexes of the buckets keep a child from being in two
    /// buckets.
    ///
    /// # Errors
    /// [`BucketError::NotMoved`](crate::BucketError::NotMoved) with the `_id` of the document in three cases: the
    /// validator of the buckets refuses the document; the document lacks its parent or its order; some bucket has the
    /// `_id`. [`Error::NotReplicaSet`] on a standalone.
    ///
    /// The compiler refuses a call with a model that stores different fields:
    /// ```compile_fail
    /// use schema_runtime::{Throttle, prelude::*};
    ///
    /// #[derive(Model, Serialize, Deserialize)]
    /// #[model(collection = "posts")]
    /// struct Post { #[serde(rename = "_id")] id: ObjectId }
    ///
    /// #[derive(Model, Serialize, Deserialize)]
    /// #[model(collection = "comments", bucket(size = 50))]
    /// struct Comment {
    ///     #[serde(rename = "_id")]
    ///     id: ObjectId,
    ///     #[relation(one_to_squillions, parent_ref)]
    ///     post: Ref<Post>,
    ///     likes: i32,
    /// }
    ///
    /// #[derive(Model, Serialize, Deserialize)]
    /// #[model(collection = "linked_comments")]
    /// struct Linked {
    ///     #[serde(rename = "_id")]
    ///     id: ObjectId,
    ///     #[relation(one_to_squillions, parent_ref)]
    ///     post: Ref<Post>,
    ///     likes: i64,
    /// }
    ///
    /// fn migrate(db: &Database) { drop(Comment::into_buckets::<Linked>(db, &Throttle::new())); }
    /// fn main() { migrate as fn(&Database); }
    /// ```
    fn into_buckets<'a, L>(db: &'a Database, throttle: &'a Throttle) -> BoxFuture<'a, Result<u64>>
    where
        Self: Updatable,
        L: Model + OwnDocument + Updatable,
    {
        const { checks::migration(Self::BUCKET, Self::DEFINITION, L::DEFINITION) };
        into::into_buckets(db, layout_of::<Self>(), L::DEFINITION, throttle)
    }

    /// Moves all children out of the buckets into documents of `L`, then drops the collection of the buckets with its
    /// validator and its indexes. Returns the number of moved children. The reverse of
    /// [`into_buckets`](Bucketed::into_buckets): each step is one transaction of whole buckets. After an interruption,
    /// run the migration again. No client may insert into the buckets meanwhile: an insert between the last step and
    /// the drop would be lost. Updates and deletes look for a child in the buckets first, then in `L`.
    ///
    /// # Errors
    /// [`BucketError::NotMoved`](crate::BucketError::NotMoved) with the `_id` of a child that the validator or an index
    /// of `L` refuses. [`Error::NotReplicaSet`] on a standalone.
    fn into_documents<'a, L>(db: &'a Database, throttle: &'a Throttle) -> BoxFuture<'a, Result<u64>>
    where
        Self: Updatable,
        L: Model + OwnDocument + Updatable,
    {
        const { checks::migration(Self::BUCKET, Self::DEFINITION, L::DEFINITION) };
        back::into_documents(db, layout_of::<Self>(), L::DEFINITION, throttle)
    }
}

/// A model in buckets with children in the order of arrival: each parent has one row of buckets. The derive implements
/// the trait.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is in buckets by time, and each day or hour has a bucket of this number",
    label = "the day or the hour is missing",
    note = "help: give the time first: `.at(time).bucket(1)`",
    note = "rule: bucket_operation (guide/pages/rules/bucket_operation.md)"
)]
pub trait ByArrival: Bucketed {}

/// A model in buckets by time: each day or hour has separate buckets (`bucket(by = day(time), size = 200)`). The derive
/// implements the trait.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not in buckets by time",
    label = "the buckets hold the children in the order of arrival, without regard to the day",
    note = "help: write `bucket(by = day(..), size = ..)` in the `#[model(..)]` of `{Self}`, or ask with a filter: `{Self}::find({Self}::F.time.gte(time))`",
    note = "rule: bucket_operation (guide/pages/rules/bucket_operation.md)"
)]
pub trait ByTime: Bucketed {}

pub(crate) fn layout_of<C: Bucketed>() -> Layout {
    Layout { model: C::DEFINITION, bucket: C::BUCKET }
}

fn find_by_id<'a>(
    db: &'a dyn Executor,
    layout: Layout,
    id: Result<mongodb::bson::Bson>,
) -> BoxFuture<'a, Result<Option<RawDocumentBuf>>> {
    Box::pin(async move { child::find(&db.context()?, &layout, &id?).await })
}
