//! Bulk writes: many writes of a model, in a single command for each kind.

mod command;
mod fill;
mod leftover;
mod report;
mod shared;
mod statement;
mod writes;

use std::{borrow::Borrow, fmt, marker::PhantomData, sync::Arc};

use self::{command::Order, writes::Writes};
use super::{
    identity::{filter_of_value, has_id},
    replace::Put,
    sharded,
    update::{ById, Many, One, Update},
    write,
};
use crate::{
    bounds::IntoId,
    changes::Reach,
    derived::throttle::Throttle,
    error::Result,
    executor::{Configurable, Executor, OperationOptions},
    field::Filter,
    model::{Insertable, Model, Updatable},
};

pub use report::{BulkCounts, BulkOutcome, BulkReport};

/// Many writes of the documents of `M`, collected and then sent together. See [the page `bulk`](crate::guide).
///
/// ```
/// # use schema_runtime::prelude::*;
/// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "parts")]
/// # struct Part { #[serde(rename = "_id")] id: ObjectId, name: String, qty: i32 }
/// # async fn example(db: &Database, bolt: Part, nut: Part, id: ObjectId) -> Result<()> {
/// let bulk = Part::bulk()
///     .insert(&bolt)
///     .update(Part::update_by_id(id).inc(Part::F.qty, -1))
///     .replace(&nut)
///     .delete_many(Part::F.qty.lt(0));
/// let written = bulk.unordered().execute(db).await?.complete()?;
/// println!("{} inserted, {} deleted", written.inserted, written.deleted);
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is written until `execute` is awaited"]
pub struct Bulk<M> {
    writes: Writes,
    model: PhantomData<fn() -> M>,
}

/// An update that returns no document.
#[diagnostic::on_unimplemented(
    message = "a bulk write returns no documents, so `find_one_and_update` cannot be in a bulk write",
    label = "write `update`, `update_one` or `update_many` here"
)]
pub trait InBulk: sealed::Sealed {
    #[doc(hidden)]
    const REACH: Reach;
}

impl InBulk for ById {
    const REACH: Reach = Reach::ById;
}

impl InBulk for One {
    const REACH: Reach = Reach::One;
}

impl InBulk for Many {
    const REACH: Reach = Reach::All;
}

mod sealed {
    use super::{ById, Many, One};

    pub trait Sealed {}
    impl Sealed for ById {}
    impl Sealed for One {}
    impl Sealed for Many {}
}

impl<M: Model> Bulk<M> {
    pub(super) fn new() -> Self {
        Bulk { writes: Writes::new(M::DEFINITION), model: PhantomData }
    }

    /// Inserts the value.
    pub fn insert(mut self, value: &M) -> Self
    where
        M: Insertable,
    {
        self.writes.insert(write::checked(value));
        self
    }

    /// Inserts the values.
    pub fn insert_many(self, values: impl IntoIterator<Item: Borrow<M>>) -> Self
    where
        M: Insertable,
    {
        values.into_iter().fold(self, |bulk, value| bulk.insert(value.borrow()))
    }

    /// Adds an update by `_id`, of one document that matches, or of all documents that match.
    pub fn update<K: InBulk>(mut self, update: Update<M, K>) -> Self
    where
        M: Updatable,
    {
        self.writes.update(update.into_spec(K::REACH));
        self
    }

    /// Replaces the document with the `_id` of the value.
    pub fn replace(mut self, value: &M) -> Self
    where
        M: Updatable,
    {
        self.writes.replace(Put::of(value));
        self
    }

    /// Replaces the document with the `_id` of the value, or inserts the value where no document exists. Documents that
    /// the value refers to by a reference with copies must be in the database already:
    /// [`upsert_many`](super::Operations::upsert_many) takes values that refer to each other.
    ///
    /// Not for a model with a `#[version]`: no single statement says whether the value was inserted or is in conflict.
    /// The bulk is refused with [`Error::Update`](crate::Error::Update) before anything is sent.
    pub fn upsert(mut self, value: &M) -> Self
    where
        M: Updatable,
    {
        self.writes.upsert(Put::of(value));
        self
    }

    /// Deletes the document with the `_id` of the value.
    pub fn delete(mut self, value: &M) -> Self
    where
        M: Updatable,
    {
        self.writes.delete(filter_of_value(value), 1);
        self
    }

    /// Deletes the document with the given `_id`.
    pub fn delete_by_id<K>(mut self, id: impl IntoId<M, K>) -> Self
    where
        M: Updatable,
    {
        self.writes.delete(has_id::<M>(&id.into_id()).into_document(), 1);
        self
    }

    /// Deletes one document that matches the filter.
    pub fn delete_one(mut self, filter: Filter<M>) -> Self
    where
        M: Updatable,
    {
        self.writes.delete(sharded::of_one(M::DEFINITION, filter.into_document()), 1);
        self
    }

    /// Deletes all documents that match the filter.
    pub fn delete_many(mut self, filter: Filter<M>) -> Self
    where
        M: Updatable,
    {
        self.writes.delete(filter.into_document(), 0);
        self
    }

    /// Makes the writes independent of each other. All writes are tried: first inserts, then updates and replaces, then
    /// deletes, each kind in a single command. Otherwise the writes are done in order, and the first failure ends the
    /// bulk.
    pub fn unordered(mut self) -> Self {
        self.writes.order = Order::Unordered;
        self
    }

    /// Sends at most as many writes per command as `throttle` says, with the pause after each command, and reports the
    /// progress: the number of finished writes, and the total. A long insert is
    /// `Part::bulk().insert_many(values).throttle(..)`. The data derived from the writes follows when all writes are
    /// done; the copies follow in chunks of the same size.
    pub fn throttle(mut self, throttle: Throttle) -> Self {
        self.writes.throttle = Some(throttle);
        self
    }

    /// Sends the writes: a command for each kind, or for each run of a kind when ordered. More commands are sent for
    /// over 100,000 writes, or for over 48 MB (inserts) or 16 MiB. A bulk without writes sends no command.
    ///
    /// In a transaction a failed write ends the transaction, and `execute` returns the error. Otherwise the error is in
    /// the report.
    ///
    /// # Errors
    /// [`Error::Bulk`](crate::Error::Bulk) before anything is sent, with the position and the cause of a write that may
    /// not be sent, as [`Error::BoundExceeded`](crate::Error::BoundExceeded); in a transaction, for any failure.
    pub async fn execute(self, db: &impl Executor) -> Result<BulkReport<M::Id>> {
        Ok(self.writes.execute(db).await?.typed())
    }
}

impl<M> Configurable for Bulk<M> {
    fn configure(mut self, change: impl FnOnce(&mut OperationOptions)) -> Self {
        change(Arc::make_mut(self.writes.options.get_or_insert_default()));
        self
    }
}

impl<M> fmt::Debug for Bulk<M> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds: Vec<_> = self.writes.kinds().collect();
        formatter
            .debug_struct("Bulk")
            .field("ordered", &(self.writes.order == Order::Ordered))
            .field("writes", &kinds)
            .finish()
    }
}
