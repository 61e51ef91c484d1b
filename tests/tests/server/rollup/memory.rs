//! Many children and parents are recovered, verified and recomputed in little memory. The memory use is known for a
//! whole process only: a second process does the work.

use std::time::Instant;

use mongodb::{
    Database,
    bson::{Document, doc, oid::ObjectId},
};
use schema_runtime::{MaintenanceKind, Schema, Throttle, prelude::*, schema};
use schema_tests::{
    process::{alone, peak, prepared, run_again},
    scale,
};

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "accounts")]
struct Account {
    #[serde(rename = "_id")]
    id: i64,
    #[computed(count(Booking::account))]
    bookings: i64,
    #[computed(max(Booking::account, cents))]
    highest: Option<i64>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "bookings")]
struct Booking {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    account: Ref<Account>,
    cents: i64,
}

const SCHEMA: Schema = schema![Account, Booking];

fn children() -> i64 {
    scale::RECOVERED_CHILDREN.now().into()
}

/// A difference is left for each of many parents.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_differences_in_little_memory() {
    if let Some(db) = prepared().await {
        return recover_them(&db).await;
    }
    let alone = alone().await;
    let (_, db) = &alone;
    SCHEMA.plan(db).await.unwrap().apply(db).await.unwrap();
    let ids =
        doc! { "$map": { "input": { "$range": [0, children()] }, "as": "id", "in": { "_id": { "$toLong": "$$id" } } } };
    let made = |set: Document, collection: &str| {
        // A merge into the collection keeps the indexes.
        let merge = doc! { "into": { "db": db.name(), "coll": collection } };
        vec![doc! { "$documents": &ids }, doc! { "$set": set }, doc! { "$merge": merge }]
    };
    let account = doc! { "bookings": 0_i64, "_rollup_bookings_account": { "corrected": ObjectId::new() } };
    db.aggregate(made(account, "accounts")).await.unwrap();
    db.aggregate(made(doc! { "account": "$_id", "cents": "$_id" }, "bookings")).await.unwrap();
    let id = doc! { "path": "bookings_account", "parent": "$_id", "id": ObjectId::new() };
    let left = doc! { "_id": id, "count": 1_i64, "sums": { "$literal": {} }, "extremes": true };
    db.aggregate(made(left, "schema_deltas")).await.unwrap();

    run_again("rollup::memory::many_differences_in_little_memory", &alone).await;
    let right = doc! { "bookings": 1_i64, "$expr": { "$eq": ["$highest", "$_id"] } };
    let accounts = db.collection::<Document>("accounts");
    assert_eq!(accounts.count_documents(right).await.unwrap(), children() as u64);
}

async fn recover_them(db: &Database) {
    db.run_command(doc! { "ping": 1 }).await.unwrap();
    let (idle, begun) = (peak(), Instant::now());
    let recovered = SCHEMA.recover(db, &Throttle::new()).await.unwrap();
    assert_eq!(recovered.found(MaintenanceKind::PendingDifference), children() as u64, "{recovered}");
    let after_recover = peak();
    let report = SCHEMA.verify(db).await.unwrap();
    assert!(report.is_clean(), "{report}");
    let recomputed = Account::recompute_all(db).await.unwrap();
    assert_eq!(recomputed.parents, children() as u64);
    let after_all = peak();
    println!("peak {after_all} KiB: {idle} idle, {after_recover} after recover; {:?}", begun.elapsed());
    assert!(after_all - idle < scale::RECOVERED_CHILDREN.most_memory(), "{after_all} KiB, {idle} of an idle client");
}
