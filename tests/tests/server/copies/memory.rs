//! Up to a million copies are verified and repaired in little memory. The memory use is known for a whole process only:
//! a second process does the work.

use std::time::Instant;

use mongodb::{
    Database,
    bson::{Bson, Document, doc},
};
use schema_runtime::{MaintenanceKind, Throttle};
use schema_tests::{
    process::{alone, peak, prepared, run_again},
    scale,
};

use super::repair::{schema, stale};

const SOURCES: i64 = 1_000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_copies_in_little_memory() {
    if let Some(db) = prepared().await {
        return repair_them(&db).await;
    }
    let alone = alone().await;
    let (_, db) = &alone;
    // The server makes the messages: messages of 1,000 hosts; every tenth message has an old address.
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
    db.aggregate(made(scale::VERIFIED_COPIES.now().into(), message, "logmsg")).await.unwrap();

    run_again("copies::memory::many_copies_in_little_memory", &alone).await;
    let logmsg = db.collection::<Document>("logmsg");
    assert_eq!(logmsg.count_documents(doc! { "ipaddr": "old" }).await.unwrap(), 0);
}

async fn repair_them(db: &Database) {
    db.run_command(doc! { "ping": 1 }).await.unwrap();
    let (idle, begun) = (peak(), Instant::now());
    let holders = u64::from(scale::VERIFIED_COPIES.now());
    let report = schema().verify(db).await.unwrap();
    assert_eq!(stale(&report)[0].found, holders / 10, "{report}");
    assert_eq!(stale(&report)[0].examples[0].id, Bson::Int64(0));
    let verified = peak();
    let repaired = schema().repair(db, &Throttle::new()).await.unwrap();
    let stale: Vec<_> = repaired.of(MaintenanceKind::StaleCopy).collect();
    assert_eq!((stale.len(), stale[0].found, stale[0].read), (1, holders / 10, holders));
    let repaired = peak();
    println!("peak {repaired} KiB: {idle} idle, {verified} after verify; {:?}", begun.elapsed());
    assert!(repaired - idle < scale::VERIFIED_COPIES.most_memory(), "{repaired} KiB, {idle} of an idle client");
}
