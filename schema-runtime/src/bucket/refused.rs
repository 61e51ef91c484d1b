//! Operations that children in buckets do not have. The methods exist so that the compiler refuses a call with a clear
//! message.

use std::borrow::Borrow;

use futures_util::future::BoxFuture;

use super::Bucketed;
use crate::{
    error::Result,
    executor::Executor,
    field::Filter,
    model::{Insertable, OwnDocument, Updatable},
    operation::{Bulk, FindOneAnd, FindOneAndDelete, FindOneAndReplace, Many, One, Operations, Update, Upserted},
};

/// The operations for separate documents only: each method requires a model whose values are separate documents. A
/// model in buckets is no such model.
#[doc(hidden)]
pub trait OfDocuments: Bucketed {
    fn create<'a>(db: &'a impl Executor, value: &'a mut Self) -> BoxFuture<'a, Result<()>>
    where
        Self: OwnDocument + Insertable,
    {
        <Self as Operations>::create(db, value)
    }

    fn replace<'a>(db: &'a impl Executor, value: &Self) -> BoxFuture<'a, Result<()>>
    where
        Self: OwnDocument + Updatable,
    {
        <Self as Operations>::replace(db, value)
    }

    fn save<'a>(db: &'a impl Executor, value: &'a mut Self) -> BoxFuture<'a, Result<()>>
    where
        Self: OwnDocument + Updatable,
    {
        <Self as Operations>::save(db, value)
    }

    fn upsert<'a>(db: &'a impl Executor, value: &Self) -> BoxFuture<'a, Result<bool>>
    where
        Self: OwnDocument + Updatable,
    {
        <Self as Operations>::upsert(db, value)
    }

    fn upsert_many<'a>(
        db: &'a impl Executor,
        values: impl IntoIterator<Item: Borrow<Self> + Send + Sync, IntoIter: Send> + Send + 'a,
    ) -> BoxFuture<'a, Result<Upserted>>
    where
        Self: OwnDocument + Updatable,
    {
        <Self as Operations>::upsert_many(db, values)
    }

    fn update_one(filter: Filter<Self>) -> Update<Self, One>
    where
        Self: OwnDocument + Updatable,
    {
        <Self as Operations>::update_one(filter)
    }

    fn update_many(filter: Filter<Self>) -> Update<Self, Many>
    where
        Self: OwnDocument + Updatable,
    {
        <Self as Operations>::update_many(filter)
    }

    fn find_one_and_update(filter: Filter<Self>) -> Update<Self, FindOneAnd>
    where
        Self: OwnDocument + Updatable,
    {
        <Self as Operations>::find_one_and_update(filter)
    }

    fn find_one_and_delete(filter: Filter<Self>) -> FindOneAndDelete<Self>
    where
        Self: OwnDocument + Updatable,
    {
        <Self as Operations>::find_one_and_delete(filter)
    }

    fn find_one_and_replace(filter: Filter<Self>, value: &Self) -> FindOneAndReplace<Self>
    where
        Self: OwnDocument + Updatable,
    {
        <Self as Operations>::find_one_and_replace(filter, value)
    }

    fn estimated_count<'a>(db: &'a impl Executor) -> BoxFuture<'a, Result<u64>>
    where
        Self: OwnDocument,
    {
        <Self as Operations>::estimated_count(db)
    }

    fn bulk() -> Bulk<Self>
    where
        Self: OwnDocument,
    {
        <Self as Operations>::bulk()
    }

    fn delete_one<'a>(db: &'a impl Executor, filter: Filter<Self>) -> BoxFuture<'a, Result<bool>>
    where
        Self: OwnDocument + Updatable,
    {
        <Self as Operations>::delete_one(db, filter)
    }

    fn delete_many<'a>(db: &'a impl Executor, filter: Filter<Self>) -> BoxFuture<'a, Result<u64>>
    where
        Self: OwnDocument + Updatable,
    {
        <Self as Operations>::delete_many(db, filter)
    }
}

#[diagnostic::do_not_recommend]
impl<C: Bucketed> OfDocuments for C {}
