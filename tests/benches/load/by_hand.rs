//! A program with the driver: the same documents, with copies that the program fills in, and without a protection of
//! the copies.

use std::ops::Range;

use schema_runtime::bson::{Bson, Document, doc};

use crate::{
    data::{Data, HOT, MAINTAINERS, Package, SECTIONS, needs},
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

/// Writes new names in the packages and in their holders, by a command for the sources and a command for the copies.
pub(crate) async fn rename_all(data: &Data, ids: Range<i64>) -> u64 {
    let names: Vec<(i64, String)> = ids.map(|id| (id, data.another())).collect();
    let source = |(id, name): &(i64, String)| doc! { "q": { "_id": id }, "u": { "$set": { "name": name } } };
    let copy = |(id, name): &(i64, String)| {
        let set = doc! { "$set": { "needs.$[c].name": name } };
        doc! { "q": { "needs.id": id }, "u": set, "multi": true, "arrayFilters": [{ "c.id": id }] }
    };
    for updates in [names.iter().map(source).collect::<Vec<_>>(), names.iter().map(copy).collect()] {
        let write_concern = doc! { "w": "majority" };
        let command =
            doc! { "update": "raw_packages", "updates": updates, "ordered": false, "writeConcern": write_concern };
        data.db.run_command(command).await.expect("the updates");
    }
    names.len() as u64
}

/// Inserts all packages, and changes the sections and maintainers by `$inc`.
pub(crate) async fn insert_counted(data: &Data) -> u64 {
    let packages = data.db.collection::<Package>("hand_packages");
    let inserted = packages.insert_many(&data.packages).ordered(false).await.expect("an insert").inserted_ids.len();
    let sums = |parents: i64| {
        let mut sums = vec![[0_i64; 2]; parents as usize];
        for package in &data.packages {
            let sum = &mut sums[(package.id % parents) as usize];
            *sum = [sum[0] + 1, sum[1] + package.size];
        }
        sums
    };
    for (collection, parents) in [("hand_sections", SECTIONS), ("hand_maintainers", MAINTAINERS)] {
        let update = |(id, [packages, bytes]): (usize, [i64; 2])| {
            doc! { "q": { "_id": id as i64 }, "u": { "$inc": { "packages": packages, "bytes": bytes } } }
        };
        let updates: Vec<Document> = sums(parents).into_iter().enumerate().map(update).collect();
        let write_concern = doc! { "w": "majority" };
        let command =
            doc! { "update": collection, "updates": updates, "ordered": false, "writeConcern": write_concern };
        data.db.run_command(command).await.expect("the updates");
    }
    inserted as u64
}
