//! A client that writes children of two hosts while servers are killed, and the check of the documents at the end.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use mongodb::{
    Database,
    bson::{Document, doc},
};
use schema_runtime::{Schema, Throttle, prelude::*, schema};
use schema_tests::rollups::{Counter, Host, LogMsg, assert_nothing_left, assert_right, counter, host, message};

pub(super) async fn begin(db: &Database) -> Schema {
    let schema = schema![Host, LogMsg, Counter];
    schema.plan(db).await.expect("a plan").apply(db).await.expect("the plan applies");
    Host::insert_many(db, &[host(1), host(2)]).await.expect("hosts");
    Counter::insert(db, &counter(1)).await.expect("a counter");
    schema
}

/// Inserts children, and changes, moves and deletes some children. Returns the `_id`s of the acknowledged children that
/// stay.
pub(super) async fn write(db: Database, number: i64, stop: Arc<AtomicBool>) -> Vec<i64> {
    let mut inserted = Vec::new();
    let mut id = number * 1_000_000;
    while !stop.load(Ordering::Relaxed) {
        id += 10;
        let host = 1 + id / 10 % 2;
        if LogMsg::insert(&db, &message(id, host)).await.is_ok() {
            inserted.push(id);
        }
        let many: Vec<LogMsg> = (1..4).map(|at| message(id + at, 1 + at % 2)).collect();
        // The outcome of the next writes is unknown while the server is down.
        let _ = LogMsg::insert_many(&db, &many).await;
        let _ = LogMsg::update_by_id(id).set(LogMsg::F.bytes, 1_000).execute(&db).await;
        let _ = LogMsg::update_by_id(id + 1).set(LogMsg::F.host, Ref::new(host)).execute(&db).await;
        let _ = LogMsg::delete_by_id(&db, &(id + 2)).await;
    }
    inserted
}

/// Checks that both hosts have the values of their children, and that every acknowledged child is stored.
pub(super) async fn check(schema: Schema, db: &Database, inserted: &[i64]) {
    let recovered = schema.recover(db, &Throttle::new()).await.expect("recover");
    println!("{} children acknowledged; {recovered}", inserted.len());
    assert_right(db).await;
    assert_nothing_left(db).await;
    assert!(!inserted.is_empty());
    let messages = db.collection::<Document>("logmsg");
    let there = messages.count_documents(doc! { "_id": { "$in": inserted } }).await.expect("a count");
    assert_eq!(there, inserted.len() as u64, "of those that were acknowledged");
}
