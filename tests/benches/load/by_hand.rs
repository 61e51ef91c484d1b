//! What one would write with the driver: the same documents, copies filled in by the program, and nothing that keeps them right.

use std::ops::Range;

use futures_util::TryStreamExt;
use schema_runtime::bson::{Bson, Document, doc};

use crate::{
    data::{Data, HOT, Package, needs},
    ours::BATCH,
};

pub(crate) async fn insert(data: &Data) -> u64 {
    let packages = data.db.collection::<Package>("raw_packages");
    packages.insert_many(&data.packages).await.expect("an insert").inserted_ids.len() as u64
}

pub(crate) async fn refer(data: &Data, ids: Range<i64>) -> u64 {
    let (ids, turn): (Vec<i64>, _) = (ids.collect(), data.turn());
    for ids in ids.chunks(BATCH) {
        let need = |id: i64| {
            let package = &data.packages[id as usize];
            Bson::from(doc! { "id": id, "name": &package.name, "version": &package.version })
        };
        let update = |id: &i64| {
            let needs: Vec<Bson> = needs(*id, turn).map(need).to_vec();
            doc! { "q": { "_id": id }, "u": { "$set": { "needs": needs } } }
        };
        let updates: Vec<Document> = ids.iter().map(update).collect();
        let write_concern = doc! { "w": "majority" };
        let command =
            doc! { "update": "raw_packages", "updates": updates, "ordered": false, "writeConcern": write_concern };
        data.db.run_command(command).await.expect("the updates");
    }
    ids.len() as u64
}

pub(crate) async fn rename(data: &Data, id: i64) -> u64 {
    let (packages, name) = (data.db.collection::<Document>("raw_packages"), data.another());
    packages.update_one(doc! { "_id": id }, doc! { "$set": { "name": &name } }).await.expect("an update");
    let copies = packages.update_many(doc! { "needs.id": id }, doc! { "$set": { "needs.$[c].name": &name } });
    copies.array_filters([doc! { "c.id": id }]).await.expect("the copies");
    1
}

pub(crate) async fn save(data: &Data) -> u64 {
    let packages = data.db.collection::<Package>("raw_packages");
    let mut package = packages.find_one(doc! { "_id": HOT }).await.expect("a read").expect("the package");
    package.summary = data.another();
    packages.replace_one(doc! { "_id": HOT }, &package).await.expect("a replace");
    1
}

pub(crate) async fn increment(data: &Data) -> u64 {
    let packages = data.db.collection::<Document>("raw_packages");
    packages.update_one(doc! { "_id": 77_i64 }, doc! { "$inc": { "size": 1_i64 } }).await.expect("an update");
    1
}

pub(crate) async fn increment_all(data: &Data) -> u64 {
    let packages = data.db.collection::<Document>("raw_packages");
    let all = packages.update_many(doc! { "section": 7_i64 }, doc! { "$inc": { "size": 1_i64 } });
    all.await.expect("an update").matched_count
}

pub(crate) async fn group(data: &Data) -> u64 {
    let group = doc! { "$group": { "_id": "$maintainer", "packages": { "$sum": 1 }, "bytes": { "$sum": "$size" } } };
    let groups = data.db.collection::<Document>("packages").aggregate([group]).await.expect("groups");
    groups.try_collect::<Vec<Document>>().await.expect("groups").len() as u64
}
