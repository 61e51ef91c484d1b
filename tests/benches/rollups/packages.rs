//! Packages of a section that keeps extremes: the loss of the least, and a delete of all.

use futures_util::TryStreamExt;
use schema_runtime::{
    bson::{Document, doc},
    prelude::*,
};

use crate::{
    data::{DELETED, Data, Package, SMALL, package},
    side::Side,
};

const LEAST: i64 = 9_000_001;

/// Makes a package in the section that is less than all remaining packages.
pub(crate) async fn prepare_least(data: &Data, side: Side) {
    let package = package(LEAST, SMALL, 0);
    if side == Side::Ours {
        Package::insert(&data.db, &package).await.expect("an insert");
        return;
    }
    data.db.collection::<Package>(&side.of("packages")).insert_one(&package).await.expect("an insert");
    if side == Side::Hand {
        let change = doc! { "$inc": { "packages": 1_i64, "hits": 1_i64 }, "$min": { "least": 0_i64 } };
        let sections = data.documents(side, "sections");
        sections.update_one(doc! { "_id": SMALL }, change).await.expect("an update");
    }
}

pub(crate) async fn delete_least(data: &Data, side: Side) -> u64 {
    if side == Side::Ours {
        return u64::from(Package::delete_by_id(&data.db, LEAST).await.expect("a delete"));
    }
    let packages = data.documents(side, "packages");
    let deleted = packages.delete_one(doc! { "_id": LEAST }).await.expect("a delete").deleted_count;
    if side == Side::Hand {
        let [least, _] = extremes(data, SMALL).await;
        let change = doc! { "$inc": { "packages": -1_i64, "hits": -1_i64 }, "$set": { "least": least } };
        let sections = data.documents(side, "sections");
        sections.update_one(doc! { "_id": SMALL }, change).await.expect("an update");
    }
    deleted
}

pub(crate) async fn prepare_deleted(data: &Data, side: Side) {
    let ids = 3_000_000..3_100_000;
    let filter = doc! { "_id": { "$gte": ids.start, "$lt": ids.end } };
    data.documents(side, "packages").delete_many(filter).await.expect("a delete");
    data.fill_packages(side, DELETED, ids).await;
    data.settle_section(side, DELETED).await;
}

pub(crate) async fn delete_all(data: &Data, side: Side) -> u64 {
    if side == Side::Ours {
        let all = Package::F.section.eq(Ref::new(DELETED));
        return Package::delete_many(&data.db, all).await.expect("a delete");
    }
    let packages = data.documents(side, "packages");
    let deleted = packages.delete_many(doc! { "section": DELETED }).await.expect("a delete").deleted_count;
    if side == Side::Hand {
        read_again(data, DELETED).await;
    }
    deleted
}

/// By hand: reads the least and the greatest value by the index.
async fn extremes(data: &Data, section: i64) -> [Option<i64>; 2] {
    let packages = data.db.collection::<Package>("hand_packages");
    let mut found = [None, None];
    for (at, direction) in [1, -1].into_iter().enumerate() {
        let first = packages.find_one(doc! { "section": section }).sort(doc! { "section": 1, "bytes": direction });
        found[at] = first.await.expect("a read").map(|package| package.bytes);
    }
    found
}

/// By hand: reads all values of the section again.
pub(crate) async fn read_again(data: &Data, section: i64) {
    let packages = data.documents(Side::Hand, "packages");
    let group = doc! { "$group": { "_id": null, "packages": { "$sum": 1_i64 }, "hits": { "$sum": "$hits" } } };
    let groups = packages.aggregate([doc! { "$match": { "section": section } }, group]).await.expect("a read");
    let groups: Vec<Document> = groups.try_collect().await.expect("groups");
    let mut set = groups.into_iter().next().unwrap_or(doc! { "packages": 0_i64, "hits": 0_i64 });
    set.remove("_id");
    let [least, greatest] = extremes(data, section).await;
    set.extend(doc! { "least": least, "greatest": greatest });
    let sections = data.documents(Side::Hand, "sections");
    sections.update_one(doc! { "_id": section }, doc! { "$set": set }).upsert(true).await.expect("an update");
}
