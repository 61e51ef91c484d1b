//! An update of one child, built before the update is sent.

use std::marker::PhantomData;

use derive_where::derive_where;

use super::{Bucketed, child, layout::Layout};
use crate::{
    error::Result,
    executor::Executor,
    field::{Changes, UpdateOperators},
};
use futures_util::future::BoxFuture;
use mongodb::bson::Bson;

/// An update of the child with an `_id`. The changes are in [`UpdateOperators`]. The parent, the order and the time of
/// `by` determine the bucket of a child and cannot be changed.
#[must_use = "nothing is written until `execute` is awaited"]
#[derive_where(Clone, Debug)]
pub struct UpdateChild<C> {
    #[derive_where(skip(Debug))]
    layout: Layout,
    #[derive_where(skip(Debug))]
    id: Result<Bson>,
    changes: Changes<C>,
    #[derive_where(skip(Debug))]
    model: PhantomData<fn() -> C>,
}

impl<C: Bucketed> UpdateChild<C> {
    pub(super) fn new(id: Result<Bson>) -> Self {
        UpdateChild { layout: super::layout_of::<C>(), id, changes: Changes::new(), model: PhantomData }
    }

    /// Changes the child by one `update` command. Returns whether the child has changed.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) when no child has the `_id`;
    /// [`Error::BoundExceeded`](crate::Error::BoundExceeded) before anything is sent, or when an array has no capacity:
    /// then nothing is written. [`Error::DocumentInvalid`](crate::Error::DocumentInvalid) from the server.
    pub fn execute<'a>(self, db: &'a impl Executor) -> BoxFuture<'a, Result<bool>> {
        let updated = child::update(db, self.layout, self.id, self.changes.list);
        Box::pin(async move { Ok(updated.await?.modified > 0) })
    }
}

impl<C> UpdateOperators for UpdateChild<C> {
    type Model = C;

    fn changes(&mut self) -> &mut Changes<C> {
        &mut self.changes
    }
}
