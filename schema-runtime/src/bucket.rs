//! Children of a parent in buckets: documents that each hold many of them. The protocol is `docs/buckets-protocol.md`.

mod child;
mod children;
mod find;
mod insert;
pub(crate) mod layout;
mod order;
mod refused;
mod update;

use std::borrow::Borrow;

use futures_util::future::BoxFuture;
use mongodb::bson::RawDocumentBuf;

pub use children::{BucketStatistics, ChildrenInBuckets, InBuckets, LatestInBuckets, PageInBuckets};
pub use refused::OfDocuments;
pub use update::UpdateChild;

use crate::{
    bounds::IntoId,
    definition::{BucketDefinition, ModelDefinition},
    error::{Error, Result},
    executor::Executor,
    field::{Field, Filter},
    model::{Insertable, Model, Updatable},
    operation::{self, Find},
    read,
};
use layout::Layout;

/// A model whose values are stored in buckets (`#[model(.., bucket(size = 50))]`), and what can be done with them. The derive says it.
///
/// A value is a child: a bucket is a document that holds up to `size` of those of one parent. An `id` is the `_id` of a child, a reference to it, a
/// [`Ref`](crate::bounds::Ref) or a reference to the value.
pub trait Bucketed: Model {
    /// What the children are of.
    type Parent: Model;
    #[doc(hidden)]
    const BUCKET: &'static BucketDefinition;
    #[doc(hidden)]
    const DOCUMENTS: &'static ModelDefinition;

    /// Inserts the child into the last bucket of its parent, or into a new one: a `find` of that bucket's number, and one upsert. It has
    /// `#[created_at]` and `#[updated_at]` of now, whatever the value holds.
    ///
    /// # Errors
    /// [`Error::BoundExceeded`](crate::Error::BoundExceeded) before anything is sent; [`Error::DocumentInvalid`](crate::Error::DocumentInvalid) from
    /// the server; [`Error::DuplicateKey`](crate::Error::DuplicateKey) when a child with its `_id` is in some bucket.
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
    /// [`Error::InsertMany`](crate::Error::InsertMany), with how many were inserted before, the position of the value where it is of one, and why: see
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
    /// [`Error::Query`](crate::Error::Query) when it is awaited, where the filter has `near` or asks a text index: those find whole documents.
    fn find(filter: Filter<Self>) -> Find<Self> {
        Find::over_what(filter, |filter| find::stages(&layout_of::<Self>(), filter))
    }

    /// A child that matches, if there is one.
    ///
    /// # Errors
    /// [`Error::Decode`](crate::Error::Decode) when it does not fit the struct.
    fn find_one(db: &impl Executor, filter: Filter<Self>) -> impl Future<Output = Result<Option<Self>>> + Send {
        Self::find(filter).one(db)
    }

    /// A child that matches.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) when there is none; [`Error::Decode`](crate::Error::Decode) when it does not fit the struct.
    fn get(db: &impl Executor, filter: Filter<Self>) -> impl Future<Output = Result<Self>> + Send {
        Self::find(filter).get(db)
    }

    /// The child with this `_id`, if there is one: one `find`, which sends this child of its bucket alone.
    ///
    /// # Errors
    /// [`Error::Decode`](crate::Error::Decode) when it does not fit the struct.
    fn find_by_id<'a, K>(db: &'a impl Executor, id: impl IntoId<Self, K>) -> BoxFuture<'a, Result<Option<Self>>> {
        let found = find_by_id(db, layout_of::<Self>(), id.into_id().to_bson());
        Box::pin(async move { found.await?.map(|child| read::decode(Self::DEFINITION.collection, &child)).transpose() })
    }

    /// The child with this `_id`.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) when there is none; [`Error::Decode`](crate::Error::Decode) when it does not fit the struct.
    fn get_by_id<'a, K>(db: &'a impl Executor, id: impl IntoId<Self, K>) -> BoxFuture<'a, Result<Self>> {
        let found = Self::find_by_id(db, id);
        Box::pin(async move { found.await?.ok_or_else(|| Error::not_found(Self::DEFINITION)) })
    }

    /// Changes the child with this `_id`: `Comment::update_by_id(id).set(Comment::F.text, "so it is").run(&db)`.
    fn update_by_id<K>(id: impl IntoId<Self, K>) -> UpdateChild<Self>
    where
        Self: Updatable,
    {
        UpdateChild::new(id.into_id().to_bson())
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
        child::delete(db, layout_of::<Self>(), id.into_id().to_bson())
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
