//! Writes of many children beside a neighbour, and alone.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use schema_runtime::{Throttle, prelude::*};

use crate::data::{DELETED, Data, MOVED, OTHER, Package, SCHEMA, package};

async fn delete(data: &Data) -> u64 {
    let some = Package::F.section.eq(Ref::new(DELETED)).and(Package::F.id.lt(3_060_000));
    Package::delete_many(&data.db, some).await.expect("a delete")
}

pub(crate) async fn delete_alone(data: &Data) -> u64 {
    delete(data).await
}

/// Beside one that inserts into the same section all the time.
pub(crate) async fn delete_beside_inserter(data: &Data) -> u64 {
    let done = AtomicBool::new(false);
    let insert = async {
        let (mut longest, mut inserts) = (Duration::ZERO, 0);
        while !done.load(Ordering::Relaxed) {
            let begun = Instant::now();
            let id = data.another();
            Package::insert(&data.db, &package(id, DELETED, id % 10_007)).await.expect("an insert");
            longest = longest.max(begun.elapsed());
            inserts += 1;
        }
        (longest, inserts)
    };
    let delete = async {
        let begun = Instant::now();
        let deleted = delete(data).await;
        done.store(true, Ordering::Relaxed);
        (deleted, begun.elapsed())
    };
    let ((deleted, took), (longest, inserts)) = futures_util::future::join(delete, insert).await;
    println!("  the delete took {took:.2?}; {inserts} inserts beside it, the longest {longest:.2?}");
    deleted
}

async fn go(data: &Data) -> u64 {
    let all = Package::update_many(Package::F.section.eq(Ref::new(MOVED)));
    all.set(Package::F.section, Ref::new(OTHER)).run(&data.db).await.expect("an update").matched
}

pub(crate) async fn move_alone(data: &Data) -> u64 {
    go(data).await
}

/// Beside one that recovers all the time: everything is matched.
pub(crate) async fn move_beside_recover(data: &Data) -> u64 {
    let done = AtomicBool::new(false);
    let recover = async {
        while !done.load(Ordering::Relaxed) {
            SCHEMA.recover(&data.db, &Throttle::new()).await.expect("a recover");
        }
    };
    let go = async {
        let moved = go(data).await;
        done.store(true, Ordering::Relaxed);
        moved
    };
    futures_util::future::join(go, recover).await.0
}
