//! A million copies are verified and repaired in little memory. What a process takes is known of the whole process
//! only, so a second one does it.

use std::time::Instant;

use mongodb::{
    Database,
    bson::{Bson, Document, doc},
};
use schema_runtime::Throttle;
use schema_tests::{
    database,
    process::{peak, prepared, run_again},
};

use super::repair::{schema, stale};

const HOLDERS: i64 = 1_000_000;
const SOURCES: i64 = 1_000;

/// The most memory that the process may ever hold more than an idle client does, in KiB: 64 MiB.
const MOST: u64 = 64 * 1024;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_million_copies_in_64_mib() {
    if let Some(db) = prepared().await {
        return repair_them(&db).await;
    }
    let db = database().await;
    // Made on the server: messages of 1,000 hosts, of which every tenth has an address of before.
    let ids = |count: i64| doc! { "$map": { "input": { "$range": [0, count] }, "as": "id", "in": { "_id": { "$toLong": "$$id" } } } };
    let made = |documents: i64, set: Document, collection: &str| {
        vec![
            doc! { "$documents": ids(documents) },
            doc! { "$set": set },
            doc! { "$out": { "db": db.name(), "coll": collection } },
        ]
    };
    let address = doc! { "$concat": ["10.0.0.", { "$toString": "$_id" }] };
    let hosts = made(SOURCES, doc! { "name": "host", "ipaddr": address }, "hosts");
    db.aggregate(hosts).await.unwrap();
    let host = doc! { "$mod": ["$_id", SOURCES] };
    let is_stale = doc! { "$eq": [{ "$mod": ["$_id", 10_i64] }, 0_i64] };
    let address = doc! { "$cond": [is_stale, "old", { "$concat": ["10.0.0.", { "$toString": &host }] }] };
    let message = doc! { "host": &host, "ipaddr": address, "time": "$$NOW", "message": "up" };
    db.aggregate(made(HOLDERS, message, "logmsg")).await.unwrap();

    run_again("copies::memory::a_million_copies_in_64_mib", &db).await;
    let logmsg = db.collection::<Document>("logmsg");
    assert_eq!(logmsg.count_documents(doc! { "ipaddr": "old" }).await.unwrap(), 0);
}

async fn repair_them(db: &Database) {
    db.run_command(doc! { "ping": 1 }).await.unwrap();
    let (idle, begun) = (peak(), Instant::now());
    let report = schema().verify(db).await.unwrap();
    assert_eq!(stale(&report)[0].copies, HOLDERS as u64 / 10, "{report}");
    assert_eq!(stale(&report)[0].examples[0].id, Bson::Int64(0));
    let verified = peak();
    let repaired = schema().repair(db, &Throttle::new()).await.unwrap();
    assert_eq!((repaired.copies(), repaired.paths[1].read), (HOLDERS as u64 / 10, HOLDERS as u64));
    let repaired = peak();
    println!("peak {repaired} KiB: {idle} idle, {verified} after verify; {:?}", begun.elapsed());
    assert!(repaired - idle < MOST, "{repaired} KiB, {idle} of an idle client");
}
