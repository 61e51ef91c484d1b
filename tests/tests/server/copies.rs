//! The behaviour that the protocol of `docs/copies-protocol.md` requires of a server, and a check that the crate
//! follows the protocol.

mod bulks;
mod commands;
mod corners;
mod cost;
mod crash;
mod dangling;
mod deploy;
mod exact;
mod fan_out;
mod follow;
mod graph;
mod intents;
mod lanes;
mod memory;
mod models;
mod pending;
mod recover;
mod repair;
mod shapes;
mod twice;
mod upserts;
mod writes;

use mongodb::{
    Collection,
    bson::{Document, Timestamp, doc},
    options::ReturnDocument,
};
use schema_tests::database;

const WRITERS: i64 = 8;
const ROUNDS: i64 = 50;

/// Writes a source with an increment, a new version and a mark, and returns the values on the server after the write.
async fn write(sources: &Collection<Document>) -> Option<(i64, Timestamp)> {
    let change = doc! {
        "$inc": { "writes": 1_i64 },
        "$currentDate": { "_v": { "$type": "timestamp" }, "_sync_products_parts": { "$type": "timestamp" } },
    };
    let after = sources.find_one_and_update(doc! { "_id": 1 }, change).return_document(ReturnDocument::After);
    let after = after.await.unwrap()?;
    assert!(after.get_timestamp("_sync_products_parts").is_ok());
    Some((after.get_i64("writes").unwrap(), after.get_timestamp("_v").unwrap()))
}

fn order(of: Timestamp) -> (u32, u32) {
    (of.time, of.increment)
}

/// The versions of a document rise with each write, whoever the writer is, and go on rising after a delete and a new
/// insert.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn versions_by_the_servers_logical_clock_never_go_back() {
    let db = database().await;
    let sources = db.collection::<Document>("parts");
    let mut highest = (0, 0);
    for _ in 0..3 {
        sources.insert_one(doc! { "_id": 1, "writes": 0_i64 }).await.unwrap();
        let writers: Vec<_> = (0..WRITERS)
            .map(|_| {
                let sources = sources.clone();
                tokio::spawn(async move {
                    let mut seen = Vec::new();
                    for _ in 0..ROUNDS {
                        seen.push(write(&sources).await.unwrap());
                    }
                    seen
                })
            })
            .collect();
        let mut seen = Vec::new();
        for writer in writers {
            seen.extend(writer.await.unwrap());
        }
        seen.sort_by_key(|(writes, _)| *writes);
        assert_eq!(seen.len() as i64, WRITERS * ROUNDS);
        for (_, version) in seen {
            assert!(order(version) > highest, "{version:?} after {highest:?}");
            highest = order(version);
        }
        sources.delete_one(doc! { "_id": 1 }).await.unwrap();
    }
    assert_eq!(write(&sources).await, None);
}

/// The guard accepts a larger version over a smaller version and over none, and nothing else.
#[tokio::test]
async fn the_guard_compares_timestamps() {
    let db = database().await;
    let holders = db.collection::<Document>("products");
    let at = |increment: u32| Timestamp { time: 1_000, increment };
    let part = |id: i32, version: u32| doc! { "part": 7, "name": "old", "_v": at(version), "id": id };
    for (id, copy) in [part(1, 1), part(2, 2), part(3, 3), doc! { "part": 7, "name": "old" }].into_iter().enumerate() {
        holders.insert_one(doc! { "_id": id as i32, "parts": [copy, { "part": 8, "name": "old" }] }).await.unwrap();
    }
    let older = doc! { "$elemMatch": { "part": 7, "_v": { "$not": { "$gte": at(2) } } } };
    let set = doc! { "$set": { "parts.$[copy].name": "new", "parts.$[copy]._v": at(2) } };
    let sweep = || {
        holders
            .update_many(doc! { "parts": older.clone() }, set.clone())
            .array_filters([doc! { "copy.part": 7, "copy._v": { "$not": { "$gte": at(2) } } }])
    };
    assert_eq!(sweep().await.unwrap().modified_count, 2);
    assert_eq!(sweep().await.unwrap().matched_count, 0);
    for (id, name) in [(0, "new"), (1, "old"), (2, "old"), (3, "new")] {
        let stored = holders.find_one(doc! { "_id": id, "parts.name": name, "parts.part": 7 }).await.unwrap();
        let stored = stored.unwrap_or_else(|| panic!("{id} has no {name}"));
        let copies = stored.get_array("parts").unwrap();
        assert_eq!(copies[0].as_document().unwrap().get_str("name").unwrap(), name);
        assert_eq!(copies[1].as_document().unwrap(), &doc! { "part": 8, "name": "old" });
    }
}
