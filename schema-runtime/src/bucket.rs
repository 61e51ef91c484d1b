//! Children of a parent in buckets: documents that each hold many of them. The protocol is `docs/buckets-protocol.md`.

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
mod refused;
mod step;
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
pub use refused::OfDocuments;
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

/// A model whose values are stored in buckets (`#[model(.., bucket(size = 50))]`), and what can be done with them. The derive says it.
///
/// A value is a child: a bucket is a document that holds up to `size` of those of one parent. An `id` is the `_id` of a child, a reference to it, a
/// [`Ref`](crate::bounds::Ref) or a reference to the value.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not stored in buckets: each child is a document of its own",
    label = "this is of the children in a bucket",
    note = "help: read children that are documents with `fetch`, `page`, `latest` or `stream`; or store them in buckets: `#[model(.., bucket(size = 50))]`"
)]
pub trait Bucketed: Model {
    /// What the children are of.
    type Parent: Model;
    #[doc(hidden)]
    const BUCKET: &'static BucketDefinition;
    #[doc(hidden)]
    const DOCUMENTS: &'static ModelDefinition;

    /// Inserts the child into the last bucket of its parent, or into a new one. Where this process has inserted into that bucket before, and the child comes behind
    /// the others, it is one update; otherwise a `find` of that bucket's number, and one upsert. It has `#[created_at]` and `#[updated_at]` of now, whatever
    /// the value holds.
    ///
    /// # Errors
    /// [`Error::BoundExceeded`] before anything is sent; [`Error::DocumentInvalid`] from
    /// the server; [`Error::DuplicateKey`] when a child with its `_id` is in some bucket.
    fn insert<'a>(db: &'a impl Executor, value: &Self) -> BoxFuture<'a, Result<()>>
    where
        Self: Insertable,
    {
        insert::insert(db, layout_of::<Self>(), operation::ready(value))
    }

    /// Inserts the children, those of one parent in their order, as many at once as a bucket has capacity for. All of them are checked before the
    /// first is sent. No values are no command.
    ///
    /// # Errors
    /// [`Error::InsertMany`], with how many were inserted before, the position of the value where it is of one, and why: see
    /// [`insert`](Bucketed::insert). Those that would be pushed together with a refused one are not inserted.
    fn insert_many<'a>(
        db: &'a impl Executor,
        values: impl IntoIterator<Item: Borrow<Self>>,
    ) -> BoxFuture<'a, Result<()>>
    where
        Self: Insertable,
    {
        insert::insert_many(db, layout_of::<Self>(), operation::ready_all::<Self>(values))
    }

    /// The children that match, in whatever bucket of whatever parent they are: one `aggregate` (`$match`, `$unwind`, `$match`). What the filter asks of the
    /// parent, of the `_id`, of the time of `by`, and of each field is asked of whole buckets first, so the indexes of the model serve it. A sort is made
    /// in the server's memory; the children of one parent in their order are those of [`post.comments()`](ChildrenInBuckets).
    ///
    /// [`Error::Query`] when it is awaited, where the filter has `near` or asks a text index: those find whole documents.
    fn find(filter: Filter<Self>) -> Find<Self> {
        Find::over_what(filter, |filter| find::stages(&layout_of::<Self>(), filter))
    }

    /// A child that matches, if there is one.
    ///
    /// # Errors
    /// [`Error::Decode`] when it does not fit the struct.
    fn find_one(db: &impl Executor, filter: Filter<Self>) -> impl Future<Output = Result<Option<Self>>> + Send {
        Self::find(filter).one(db)
    }

    /// A child that matches.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is none; [`Error::Decode`] when it does not fit the struct.
    fn get(db: &impl Executor, filter: Filter<Self>) -> impl Future<Output = Result<Self>> + Send {
        Self::find(filter).get(db)
    }

    /// The child with this `_id`, if there is one: one `find`, which sends this child of its bucket alone.
    ///
    /// # Errors
    /// [`Error::Decode`] when it does not fit the struct.
    fn find_by_id<'a, K>(db: &'a impl Executor, id: impl IntoId<Self, K>) -> BoxFuture<'a, Result<Option<Self>>> {
        let found = find_by_id(db, layout_of::<Self>(), id.into_id_value());
        Box::pin(async move { found.await?.map(|child| read::decode(Self::DEFINITION.collection, &child)).transpose() })
    }

    /// The child with this `_id`.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is none; [`Error::Decode`] when it does not fit the struct.
    fn get_by_id<'a, K>(db: &'a impl Executor, id: impl IntoId<Self, K>) -> BoxFuture<'a, Result<Self>> {
        let found = Self::find_by_id(db, id);
        Box::pin(async move { found.await?.ok_or_else(|| Error::not_found(Self::DEFINITION)) })
    }

    /// Changes the child with this `_id`: `Comment::update_by_id(id).set(Comment::F.text, "so it is").run(&db)`.
    fn update_by_id<K>(id: impl IntoId<Self, K>) -> UpdateChild<Self>
    where
        Self: Updatable,
    {
        UpdateChild::new(id.into_id_value())
    }

    /// Deletes the child, and says whether there was one. Its bucket has capacity for another one then.
    ///
    /// # Errors
    /// Those of the driver.
    fn delete<'a>(db: &'a impl Executor, value: &Self) -> BoxFuture<'a, Result<bool>>
    where
        Self: Updatable,
    {
        child::delete(db, layout_of::<Self>(), value.id().to_bson())
    }

    /// Deletes the child with this `_id`, and says whether there was one.
    ///
    /// # Errors
    /// Those of the driver.
    fn delete_by_id<'a, K>(db: &'a impl Executor, id: impl IntoId<Self, K>) -> BoxFuture<'a, Result<bool>>
    where
        Self: Updatable,
    {
        child::delete(db, layout_of::<Self>(), id.into_id_value())
    }

    /// Fills the buckets of a parent, after deletes: the children of later ones go to earlier ones that have capacity, in their order, and
    /// empty ones are marked, which a later run deletes at the end, an hour after that. Of buckets by time each day or hour is by itself. May run at any time,
    /// beside all writers and beside itself, and where it was stopped it is run again. What moves children is a transaction for each two
    /// buckets, and begins again where another client writes one of them meanwhile. Reads numbers of buckets, and of children those that move.
    ///
    /// # Errors
    /// [`Error::NotReplicaSet`] on a standalone, where there is something to move.
    /// [`Error::DocumentInvalid`] at a bucket that [`repair`](crate::schema::Schema::repair) has to write first.
    fn compact<'a, K>(db: &'a Database, parent: impl IntoId<Self::Parent, K>) -> BoxFuture<'a, Result<Compacted>>
    where
        Self: Updatable,
    {
        compact::compact(db, layout_of::<Self>(), parent.into_id_value(), None)
    }

    /// The same for the buckets of the day or the hour in which this time is.
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

    /// Moves all documents of `L` into buckets of this model: how many. `L` is a model with a collection of its own, with the same stored fields
    /// and the same relation to the parent, and nothing follows from its writes. Documents are moved as they are stored, with fields that no
    /// struct knows, those of each parent in their order; `#[created_at]` and `#[updated_at]` stay.
    ///
    /// A step is one transaction, of at most [`chunk`](Throttle::chunk) documents and never more than 1,000, in which they leave the one collection and
    /// are in the other. Nothing else is stored: where it was stopped it is run again, and goes on. Several may run at once. It is for a time when nobody
    /// writes these children; if somebody does, nothing is lost, and there is no order between what is inserted meanwhile and what has not migrated.
    /// Updates and deletes look for a child in `L` first, then in the buckets. Plan and apply this model before, since the indexes of the buckets keep
    /// a child from being in two of them.
    ///
    /// # Errors
    /// [`BucketError::NotMoved`](crate::error::BucketError::NotMoved) with the `_id` of a document that the validator of the buckets refuses, that
    /// lacks its parent or its order, or whose `_id` is in some bucket. [`Error::NotReplicaSet`] on a standalone.
    ///
    /// A model that does not store the same is refused when the call is compiled:
    /// ```compile_fail
    /// use schema_runtime::{Throttle, prelude::*};
    ///
    /// #[derive(Model, Serialize, Deserialize)]
    /// #[model(collection = "posts")]
    /// struct Post { #[serde(rename = "_id")] id: ObjectId }
    ///
    /// #[derive(Model, Serialize, Deserialize)]
    /// #[model(collection = "comments", bucket(size = 50))]
    /// struct Comment { #[serde(rename = "_id")] id: ObjectId, #[relation(one_to_squillions, parent_ref)] post: Ref<Post>, likes: i32 }
    ///
    /// #[derive(Model, Serialize, Deserialize)]
    /// #[model(collection = "linked_comments")]
    /// struct Linked { #[serde(rename = "_id")] id: ObjectId, #[relation(one_to_squillions, parent_ref)] post: Ref<Post>, likes: i64 }
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

    /// The way back: moves all children out of the buckets into documents of `L`, then drops the collection of the buckets, with its validator
    /// and its indexes. How many. A step is one transaction, as in [`into_buckets`](Bucketed::into_buckets), of whole buckets; where it was stopped it is
    /// run again. Nobody may insert into the buckets meanwhile: an insert between the last step and the drop would be lost. Updates and deletes look for a
    /// child in the buckets first, then in `L`.
    ///
    /// # Errors
    /// [`BucketError::NotMoved`](crate::error::BucketError::NotMoved) with the `_id` of a child that the validator or an index of `L` refuses.
    /// [`Error::NotReplicaSet`] on a standalone.
    fn into_documents<'a, L>(db: &'a Database, throttle: &'a Throttle) -> BoxFuture<'a, Result<u64>>
    where
        Self: Updatable,
        L: Model + OwnDocument + Updatable,
    {
        const { checks::migration(Self::BUCKET, Self::DEFINITION, L::DEFINITION) };
        back::into_documents(db, layout_of::<Self>(), L::DEFINITION, throttle)
    }
}

/// A model in buckets whose children are in the order of arrival: those of a parent in one row of buckets. The derive says it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is in buckets by time, and each day or hour has a bucket of this number",
    label = "which day, or which hour?",
    note = "help: say it before: `.at(time).bucket(1)`",
    note = "rule: bucket_operation"
)]
pub trait ByArrival: Bucketed {}

/// A model in buckets by time: those of a day or an hour by themselves (`bucket(by = day(time), size = 200)`). The derive says it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not in buckets by time",
    label = "its children are in the order of arrival, whatever day they are of",
    note = "help: write `bucket(by = day(..), size = ..)` in its `#[model(..)]`, or ask with a filter: `{Self}::find({Self}::F.time.gte(time))`",
    note = "rule: bucket_operation"
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
