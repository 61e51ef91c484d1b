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
    for round in 0..8 {
        let mark = ObjectId::new();
        let changed = doc! { "$set": { "size": round, "_pending.logmsg_host": mark } };
        messages.update_one(doc! { "_id": 1_i64 }, changed).write_concern(alone.clone()).await.unwrap();
        schema.recover(&db, &Throttle::new()).await.unwrap();
        assert_right(&db).await;

        // The command before a move is waited for.
        let left = doc! { "$set": { "_left.logmsg_host": [{ "parent": "$host", "mark": mark }] } };
        messages.update_one(doc! { "_id": 1_i64 }, vec![left]).await.unwrap();
        let moved = doc! { "$set": { "_pending.logmsg_host": mark, "host": { "$subtract": [3_i64, "$host"] } } };
        messages.update_one(doc! { "_id": 1_i64 }, vec![moved]).write_concern(alone.clone()).await.unwrap();
        schema.recover(&db, &Throttle::new()).await.unwrap();
        assert_right(&db).await;

        let closed = doc! { "$set": {
            "_rollup.logmsg_host": mark, "_recompute.logmsg_host": mark, "messages": 100_i64,
        } };
        hosts.update_one(doc! { "_id": 1_i64 }, closed).write_concern(alone.clone()).await.unwrap();
        schema.recover(&db, &Throttle::new()).await.unwrap();
        assert_right(&db).await;
        assert_no_marks(&db).await;
    }
}

/// A move names the parent that it is to leave before it is done. `recover` may take that for what a stopped client has left, and
/// clear it: then the move is tried again.
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
