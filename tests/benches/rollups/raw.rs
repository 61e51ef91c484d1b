//! Beside what keeps nothing.

use futures_util::TryStreamExt;
use schema_runtime::{
    bson::{Document, doc},
    prelude::*,
};

use crate::data::{DELETED, Data, Package, Shelf};

/// A raw increment of a document that no parent keeps anything of.
pub(crate) async fn increment(data: &Data) -> u64 {
    let books = data.db.collection::<Document>("unkept");
    let filter = doc! { "_id": 1 };
    let changed = books.update_one(filter, doc! { "$inc": { "hits": 1_i64 } }).upsert(true).await.expect("an update");
    changed.matched_count.max(1)
}

pub(crate) async fn delete_counted(data: &Data) -> u64 {
    Package::delete_many(&data.db, Package::F.section.eq(Ref::new(DELETED))).await.expect("a delete")
}

pub(crate) async fn delete_raw(data: &Data) -> u64 {
    let packages = data.db.collection::<Document>("packages");
    packages.delete_many(doc! { "section": DELETED }).await.expect("a delete").deleted_count
}

pub(crate) async fn recompute(data: &Data) -> u64 {
    Shelf::recompute_all(&data.db).await.expect("a recompute").parents
}

pub(crate) async fn group(data: &Data) -> u64 {
    let group = doc! { "$group": { "_id": "$shelf", "books": { "$sum": 1 }, "pages": { "$sum": "$pages" } } };
    let groups = data.db.collection::<Document>("books").aggregate([group]).await.expect("groups");
    groups.try_collect::<Vec<Document>>().await.expect("groups").len() as u64
}
