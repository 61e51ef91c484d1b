//! One child: inserted, deleted, changed, moved.

use futures_util::future::join_all;
use schema_runtime::prelude::*;

use crate::data::{Data, LARGE, OTHER, Package, SMALL, package};

/// The greatest packages of the two sections, and how many bytes they have.
const GREATEST: [(i64, i64); 2] = [(LARGE, 9_000_001), (SMALL, 9_000_002)];
const BYTES: i64 = 1_000_000;

fn greatest(section: i64) -> i64 {
    GREATEST.iter().find(|(of, _)| *of == section).expect("one of the two").1
}

/// Each of the two sections has one that is greater than all others.
pub(crate) async fn extreme(data: &Data) {
    for (section, id) in GREATEST {
        Package::delete_by_id(&data.db, id).await.expect("a delete");
        Package::insert(&data.db, &package(id, section, BYTES)).await.expect("an insert");
    }
}

pub(crate) async fn insert(data: &Data, section: i64) -> u64 {
    let id = data.another();
    Package::insert(&data.db, &package(id, section, id % 10_007)).await.expect("an insert");
    1
}

pub(crate) async fn delete(data: &Data, section: i64) -> u64 {
    u64::from(Package::delete_by_id(&data.db, greatest(section)).await.expect("a delete"))
}

pub(crate) async fn change(data: &Data, section: i64) -> u64 {
    let changed = Package::update_by_id(greatest(section)).set(Package::F.bytes, 7).run(&data.db).await;
    changed.expect("an update").matched
}

pub(crate) async fn go(data: &Data, section: i64) -> u64 {
    let moved = Package::update_by_id(greatest(section)).set(Package::F.section, Ref::new(OTHER)).run(&data.db).await;
    moved.expect("an update").matched
}

pub(crate) async fn increment(data: &Data) -> u64 {
    Package::update_by_id(17).inc(Package::F.hits, 1).run(&data.db).await.expect("an update").matched
}

/// A hundred inserts into one parent.
pub(crate) async fn inserts(data: &Data, writers: u64) -> u64 {
    let write = async || {
        for _ in 0..96 / writers {
            insert(data, SMALL).await;
        }
    };
    join_all((0..writers).map(|_| write())).await;
    96
}
