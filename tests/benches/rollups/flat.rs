//! Equal work for a parent of 1,000,000 children and for a parent of 1,000.

use schema_runtime::{
    bson::{Document, doc},
    prelude::*,
};

use crate::{
    data::{Data, LARGE, OTHER, Package, SMALL, Shelf, package},
    pair::Pair,
    side::Side,
};

/// The most that a child of a large parent may cost in relation to a child of a small parent.
const AS_MUCH: Option<f64> = Some(1.5);

pub(crate) const PAIRS: [Pair; 5] = [
    Pair::new(
        "flat insert, of 1,000,000 beside of 1,000",
        AS_MUCH,
        50,
        |data| Box::pin(insert(data, LARGE)),
        |data| Box::pin(insert(data, SMALL)),
    )
    .before(|data| Box::pin(hold(data))),
    Pair::new(
        "flat delete of the greatest, of 1,000,000 beside of 1,000",
        AS_MUCH,
        50,
        |data| Box::pin(delete(data, LARGE)),
        |data| Box::pin(delete(data, SMALL)),
    )
    .before(|data| Box::pin(extreme(data))),
    Pair::new(
        "flat change of the greatest, of 1,000,000 beside of 1,000",
        AS_MUCH,
        50,
        |data| Box::pin(change(data, LARGE)),
        |data| Box::pin(change(data, SMALL)),
    )
    .before(|data| Box::pin(extreme(data))),
    Pair::new(
        "flat move of the greatest, of 1,000,000 beside of 1,000",
        AS_MUCH,
        50,
        |data| Box::pin(go(data, LARGE)),
        |data| Box::pin(go(data, SMALL)),
    )
    .before(|data| Box::pin(extreme(data))),
    Pair::new(
        "recompute_all of 2,001 parents beside one $group",
        Some(5.0),
        5,
        |data| Box::pin(recompute(data)),
        |data| Box::pin(group(data)),
    )
    .warm_up(1),
];

/// The greatest packages of the two sections, and the number of bytes of each package.
const GREATEST: [(i64, i64); 2] = [(LARGE, 9_100_001), (SMALL, 9_100_002)];
const BYTES: i64 = 1_000_000;

fn greatest(section: i64) -> i64 {
    GREATEST.iter().find(|(of, _)| *of == section).expect("one of the two").1
}

/// Makes the packages of the large section.
async fn hold(data: &Data) {
    let packages = data.documents(Side::Ours, "packages");
    if packages.find_one(doc! { "section": LARGE }).await.expect("a read").is_none() {
        data.fill_packages(Side::Ours, LARGE, 20_000_000..21_000_000).await;
        data.settle_section(Side::Ours, LARGE).await;
    }
}

/// Makes a package in each of the two sections that is greater than all remaining packages.
async fn extreme(data: &Data) {
    hold(data).await;
    for (section, id) in GREATEST {
        Package::delete_by_id(&data.db, id).await.expect("a delete");
        Package::insert(&data.db, &package(id, section, BYTES)).await.expect("an insert");
    }
}

async fn insert(data: &Data, section: i64) -> u64 {
    let id = data.another();
    Package::insert(&data.db, &package(id, section, 1 + id % 10_007)).await.expect("an insert");
    1
}

async fn delete(data: &Data, section: i64) -> u64 {
    u64::from(Package::delete_by_id(&data.db, greatest(section)).await.expect("a delete"))
}

async fn change(data: &Data, section: i64) -> u64 {
    let changed = Package::update_by_id(greatest(section)).set(Package::F.bytes, 7).execute(&data.db).await;
    changed.expect("an update").matched
}

async fn go(data: &Data, section: i64) -> u64 {
    let moved =
        Package::update_by_id(greatest(section)).set(Package::F.section, Ref::new(OTHER)).execute(&data.db).await;
    moved.expect("an update").matched
}

async fn recompute(data: &Data) -> u64 {
    Shelf::recompute_all(&data.db).await.expect("a recompute").parents
}

async fn group(data: &Data) -> u64 {
    use futures_util::TryStreamExt;
    let group = doc! { "$group": { "_id": "$shelf", "books": { "$sum": 1 }, "pages": { "$sum": "$pages" } } };
    let groups = data.documents(Side::Ours, "books").aggregate([group]).await.expect("groups");
    let groups: Vec<Document> = groups.try_collect().await.expect("groups");
    // A shelf may have no books.
    groups.len().max(crate::data::SHELVES as usize + 1) as u64
}
