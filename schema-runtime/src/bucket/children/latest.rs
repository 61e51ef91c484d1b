//! The last children of a parent.

use std::marker::PhantomData;

use derive_where::derive_where;
use futures_util::future::BoxFuture;
use mongodb::bson::Document;

use super::{asked::Asked, walk::Walk};
use crate::{
    bucket::Bucketed,
    error::Result,
    executor::Executor,
    explain::Explain,
    join::{Item, Joined},
    model::{Projection, all_fields},
    mongosh::ToMongosh,
    read::{self, Query},
};

/// The last children of a parent, the last child first, to be read.
#[must_use = "nothing is read until a read is awaited"]
#[derive_where(Clone, Debug)]
pub struct LatestInBuckets<C, T = C> {
    asked: Asked,
    count: u32,
    #[derive_where(skip(Debug))]
    types: PhantomData<fn() -> (C, T)>,
}

impl<C: Bucketed, T: Item> LatestInBuckets<C, T> {
    pub(super) fn new(asked: Asked, count: u32) -> Self {
        LatestInBuckets { asked, count, types: PhantomData }
    }

    /// Reads the same children, but the server sends only the fields of `V` and of the order.
    pub fn select<V: Projection<Of = C>>(self) -> LatestInBuckets<C, V> {
        LatestInBuckets::new(Asked { fields: all_fields::<V>, ..self.asked }, self.count)
    }

    /// Reads the children: one `find` of as many full buckets as hold the children, and another `find` when deletes
    /// have left too few children in the buckets.
    ///
    /// # Errors
    /// Errors of the server and the network. The result contains the children that do not fit.
    pub fn fetch_all<'e>(self, db: &'e impl Executor) -> BoxFuture<'e, Result<Joined<T, C>>>
    where
        Self: 'e,
    {
        let db: &dyn Executor = db;
        Box::pin(async move {
            if self.count == 0 {
                return Ok(self.asked.joined(std::iter::empty()));
            }
            let walked = walk(&self.asked, self.count).read(db).await?;
            let children = walked.children.iter().map(|child| read::decode(C::DEFINITION.collection, child));
            Ok(self.asked.joined(children))
        })
    }
}

fn walk(asked: &Asked, count: u32) -> Walk<'_> {
    Walk { asked, backward: true, place: None, wanted: count as usize }
}

impl<C: Bucketed, T: Item> ToMongosh for LatestInBuckets<C, T> {
    fn command(&self) -> Result<Document> {
        walk(&self.asked, self.count).query().map(Query::into_command)
    }
}

impl<C: Bucketed, T: Item> Explain for LatestInBuckets<C, T> {}
