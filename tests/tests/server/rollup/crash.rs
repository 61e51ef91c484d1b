//! `recover` a moment after a client was killed: what that wrote may not be on a majority yet.

use mongodb::{
    bson::{Document, doc, oid::ObjectId},
    options::{Acknowledgment, WriteConcern},
};
use schema_runtime::{Throttle, prelude::*, schema};
use schema_tests::{
    Fault, Proxy, database,
    rollups::{Counter, Host, LogMsg, assert_no_marks, assert_right, counter, host, message},
};

/// Writes as a client does that is gone before its answer: on the primary alone, with the marks of the protocol.
#[tokio::test]
async fn what_is_on_no_majority_is_recovered() {
    let db = database().await;
    let schema = schema![Host, LogMsg, Counter];
    schema.plan(&db).await.unwrap().apply(&db).await.unwrap();
    Host::insert_many(&db, &[host(1), host(2)]).await.unwrap();
    LogMsg::insert(&db, &message(1, 1)).await.unwrap();
    let alone = WriteConcern::builder().w(Acknowledgment::Nodes(1)).journal(false).build();
    let (hosts, messages) = (db.collection::<Document>("hosts"), db.collection::<Document>("logmsg"));
    for round in 0..8_i64 {
        let mark = ObjectId::new();
        let says = doc! { "bytes": "$bytes", "time": "$time", "text": "$text", "size": "$size" };
        let record = doc! { "mark": mark, "at": [{ "parent": "$host", "has": says }] };
        let prepared = vec![doc! { "$set": { "_pending_logmsg_host": record } }];
        // A change that was not applied.
        messages.update_one(doc! { "_id": 1_i64 }, prepared.clone()).await.unwrap();
        let changed = doc! { "$set": { "size": round } };
        messages.update_one(doc! { "_id": 1_i64 }, changed).write_concern(alone.clone()).await.unwrap();
        schema.recover(&db, &Throttle::new()).await.unwrap();
        assert_right(&db).await;

        // A move that was not applied, to a parent that is not in its record yet.
        messages.update_one(doc! { "_id": 1_i64 }, prepared).await.unwrap();
        let moved = vec![doc! { "$set": { "host": { "$subtract": [3_i64, "$host"] } } }];
        messages.update_one(doc! { "_id": 1_i64 }, moved).write_concern(alone.clone()).await.unwrap();
        schema.recover(&db, &Throttle::new()).await.unwrap();
        assert_right(&db).await;

        // A new parent whose children nobody has counted.
        let new = doc! { "$set": { "_rollup_logmsg_host.new": mark, "messages": 100_i64 } };
        hosts.update_one(doc! { "_id": 1_i64 }, new).write_concern(alone.clone()).await.unwrap();
        schema.recover(&db, &Throttle::new()).await.unwrap();
        assert_right(&db).await;
        assert_no_marks(&db).await;
    }
}

/// A move leaves a record before it is done. `recover` may take that for what a stopped client has left, and clear it: then the move is
/// prepared again.
#[tokio::test]
async fn a_move_that_recover_comes_between() {
    let db = database().await;
    let schema = schema![Host, LogMsg, Counter];
    schema.plan(&db).await.unwrap().apply(&db).await.unwrap();
    Host::insert_many(&db, &[host(1), host(2)]).await.unwrap();
    Counter::insert(&db, &counter(1)).await.unwrap();
    LogMsg::insert(&db, &message(1, 1)).await.unwrap();
    let proxy = Proxy::start([(1, Fault::Hold)]).await;
    let mover = proxy.database(db.name()).await;
    let moved =
        tokio::spawn(
            async move { LogMsg::update_by_id(1).set(LogMsg::F.counter, Some(Ref::new(1))).run(&mover).await },
        );
    proxy.reached().await;
    schema.recover(&db, &Throttle::new()).await.unwrap();
    proxy.release();
    assert_eq!(moved.await.unwrap().unwrap().matched, 1, "{:?}", proxy.names());
    assert_eq!(Counter::get_by_id(&db, &1).await.unwrap().messages, 1);
    assert_no_marks(&db).await;
}

/// A recompute has read a parent that nobody had counted, and a record whose client had found no parent and clears it. The one who then counts
/// the parent finds it right: the recompute must not correct it by what it has read.
#[tokio::test]
async fn a_recompute_that_has_read_too_early() {
    let db = database().await;
    let schema = schema![Host, LogMsg, Counter];
    schema.plan(&db).await.unwrap().apply(&db).await.unwrap();
    Host::insert_many(&db, &[host(1), host(2)]).await.unwrap();
    LogMsg::insert(&db, &message(1, 2)).await.unwrap();
    let (hosts, messages) = (db.collection::<Document>("hosts"), db.collection::<Document>("logmsg"));
    // The message was in the host 1, and was moved while that was not there. It is there again, and new.
    let one = doc! { "_id": 1_i64 };
    let (new, mark) = (ObjectId::new(), ObjectId::new());
    let state = doc! { "$set": { "_rollup_logmsg_host": { "new": new, "corrected": new } } };
    hosts.update_one(one.clone(), state).await.unwrap();
    let has = vec![doc! { "$set": { "_pending_logmsg_host": { "mark": mark, "at": [
        { "parent": 1_i64, "has": { "size": "$size", "text": "$text", "time": "$time" } },
        { "parent": 2_i64, "has": { "size": "$size", "text": "$text", "time": "$time" } },
    ] } } }];
    messages.update_one(one.clone(), has).await.unwrap();
    let proxy = Proxy::start([(2, Fault::Hold)]).await;
    let slow = proxy.database(db.name()).await;
    let recompute = tokio::spawn(async move { Host::recompute(&slow, 1).await });
    proxy.reached().await;
    assert_eq!(proxy.names(), ["find", "aggregate", "update"], "it is about to correct");
    messages.update_one(one, doc! { "$unset": { "_pending_logmsg_host": "" } }).await.unwrap();
    schema.recover(&db, &Throttle::new()).await.unwrap();
    proxy.release();
    assert!(recompute.await.unwrap().unwrap());
    assert_right(&db).await;
    assert_no_marks(&db).await;
}
