//! The models keep all copies and rollups right.

use std::ops::Range;

use schema_runtime::prelude::*;

use crate::data::{Data, HOT, Need, Package, needs};

/// The number of writes in a bulk.
pub(crate) const BATCH: usize = 1_000;

pub(crate) async fn insert(data: &Data) -> u64 {
    Package::insert_many(&data.db, &data.packages).await.expect("an insert");
    data.packages.len() as u64
}

pub(crate) async fn refer(data: &Data, ids: Range<i64>) -> u64 {
    let (ids, turn): (Vec<i64>, _) = (ids.collect(), data.turn());
    for ids in ids.chunks(BATCH) {
        let mut bulk = Package::bulk();
        for id in ids {
            let need = |id| Need { id: Ref::new(id), name: String::new(), version: String::new() };
            bulk = bulk.update(Package::update_by_id(*id).set(Package::F.needs, needs(*id, turn).map(need).to_vec()));
        }
        bulk.unordered().execute(&data.db).await.expect("a bulk").complete().expect("all of it");
    }
    ids.len() as u64
}

pub(crate) async fn rename(data: &Data, id: i64) -> u64 {
    let renamed = Package::update_by_id(id).set(Package::F.name, data.another()).execute(&data.db).await;
    renamed.expect("an update");
    1
}

pub(crate) async fn save(data: &Data) -> u64 {
    let mut package = Package::get_by_id(&data.db, &HOT).await.expect("the package");
    package.summary = data.another();
    Package::save(&data.db, &mut package).await.expect("a save");
    1
}

pub(crate) async fn rename_all(data: &Data, ids: Range<i64>) -> u64 {
    let count = ids.end - ids.start;
    let mut bulk = Package::bulk();
    for id in ids {
        bulk = bulk.update(Package::update_by_id(id).set(Package::F.name, data.another()));
    }
    bulk.unordered().execute(&data.db).await.expect("a bulk").complete().expect("all of it");
    count as u64
}
