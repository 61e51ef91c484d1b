//! A parent is deleted and inserted again while a client is about to apply what it has written. What was revoked at the old one is not known
//! to the new one.

use mongodb::bson::{Document, doc, oid::ObjectId};
use schema_runtime::{Throttle, prelude::*, schema};
use schema_tests::{
    Fault, Proxy, database,
    rollups::{Counter, Host, LogMsg, assert_no_marks, assert_right, counter, host, message},
};

/// A client has inserted a message of each of two hosts, and both are taken over while the first host is not there. The second host knows
/// it, and the first counts its messages when it is inserted again: what the client applies there is too much.
#[tokio::test]
async fn an_insert_that_was_revoked_at_another_parent() {
    let db = database().await;
    let schema = schema![Host, LogMsg, Counter];
    schema.plan(&db).await.unwrap().apply(&db).await.unwrap();
    Host::insert_many(&db, &[host(1), host(2)]).await.unwrap();
    let proxy = Proxy::start([(2, Fault::Hold)]).await;
    let slow = proxy.database(db.name()).await;
    let inserted = tokio::spawn(async move { LogMsg::insert_many(&slow, &[message(1, 1), message(2, 2)]).await });
    proxy.reached().await;
    assert_eq!(proxy.names(), ["find", "insert", "update"], "it is about to apply");
    Host::delete_by_id(&db, &1).await.unwrap();
    schema.recover(&db, &Throttle::new()).await.unwrap();
    Host::insert(&db, &host(1)).await.unwrap();
    assert_right(&db).await;
    proxy.release();
    inserted.await.unwrap().unwrap();
    assert_right(&db).await;
    schema.recover(&db, &Throttle::new()).await.unwrap();
    assert_right(&db).await;
    assert_no_marks(&db).await;
}

/// A delete of a child of two parents: the record of one of them is taken over and cleared while that parent is not there, and the child is
/// counted by neither. What the client then takes away is too much.
#[tokio::test]
async fn a_delete_whose_record_of_one_parent_is_cleared() {
    let db = database().await;
    let schema = schema![Host, LogMsg, Counter];
    schema.plan(&db).await.unwrap().apply(&db).await.unwrap();
    Host::insert_many(&db, &[host(1), host(2)]).await.unwrap();
    Counter::insert(&db, &counter(1)).await.unwrap();
    LogMsg::insert(&db, &message(1, 1)).await.unwrap();
    LogMsg::update_by_id(1).set(LogMsg::F.counter, Some(Ref::new(1))).run(&db).await.unwrap();
    let proxy = Proxy::start([(2, Fault::Hold)]).await;
    let slow = proxy.database(db.name()).await;
    let deleted = tokio::spawn(async move { LogMsg::delete_by_id(&slow, 1).await });
    proxy.reached().await;
    assert_eq!(proxy.names(), ["update", "aggregate", "update"], "it is about to apply");
    Host::delete_by_id(&db, &1).await.unwrap();
    // As a recover does that stops behind the first of the two.
    let cleared = doc! { "$unset": { "_pending_logmsg_host": "" } };
    db.collection::<Document>("logmsg").update_one(doc! { "_id": 1_i64 }, cleared).await.unwrap();
    Host::insert(&db, &host(1)).await.unwrap();
    proxy.release();
    assert!(deleted.await.unwrap().unwrap());
    assert_right(&db).await;
    schema.recover(&db, &Throttle::new()).await.unwrap();
    assert_right(&db).await;
    assert_no_marks(&db).await;
}

/// An update of many is done, and its answer is an error: what follows it is done all the same, and it is not known of how many. They are
/// taken over while their parent is not there.
#[tokio::test]
async fn an_update_of_many_that_has_failed() {
    let db = database().await;
    let schema = schema![Host, LogMsg, Counter];
    schema.plan(&db).await.unwrap().apply(&db).await.unwrap();
    Host::insert_many(&db, &[host(1), host(2)]).await.unwrap();
    LogMsg::insert_many(&db, &[message(1, 1), message(2, 2)]).await.unwrap();
    let proxy = Proxy::start([(2, Fault::Unmet), (4, Fault::Hold)]).await;
    let slow = proxy.database(db.name()).await;
    let changed = tokio::spawn(async move {
        LogMsg::update_many(LogMsg::F.host.eq(Ref::new(1))).set(LogMsg::F.bytes, 1_000).run(&slow).await
    });
    proxy.reached().await;
    assert_eq!(proxy.names(), ["update", "find", "update", "aggregate", "update"], "it is about to apply");
    Host::delete_by_id(&db, &1).await.unwrap();
    schema.recover(&db, &Throttle::new()).await.unwrap();
    Host::insert(&db, &host(1)).await.unwrap();
    assert_right(&db).await;
    proxy.release();
    changed.await.unwrap().unwrap_err();
    assert_right(&db).await;
    schema.recover(&db, &Throttle::new()).await.unwrap();
    assert_right(&db).await;
}

/// A host is inserted again, and somebody recomputes it before its inserter has: by the record of a message that was moved away while it was not
/// there. The inserter finds the least right, since it was not written yet; what the first has read for it is no longer so.
#[tokio::test]
async fn a_recompute_that_reads_the_least_too_early() {
    let commands = recomputed_too_early(None).await;
    recomputed_too_early(Some(commands - 1)).await;
}

/// How many commands the recompute has sent; `hold` is the one that waits for the inserter.
async fn recomputed_too_early(hold: Option<usize>) -> usize {
    let db = database().await;
    let schema = schema![Host, LogMsg, Counter];
    schema.plan(&db).await.unwrap().apply(&db).await.unwrap();
    Host::insert(&db, &host(2)).await.unwrap();
    LogMsg::insert(&db, &message(1, 2)).await.unwrap();
    // Its client has found no host 1, has applied it at the host 2, and is about to clear.
    let mark = ObjectId::new();
    let (hosts, messages) = (db.collection::<Document>("hosts"), db.collection::<Document>("logmsg"));
    let says = doc! { "size": "$size", "text": "$text", "time": "$time" };
    let at = doc! { "_pending_logmsg_host": { "mark": mark, "at": [
        { "parent": 1_i64, "has": { "size": { "$literal": 1_i64 }, "text": "$text", "time": "$time" } },
        { "parent": 2_i64, "has": says },
    ] } };
    messages.update_one(doc! { "_id": 1_i64 }, vec![doc! { "$set": at }]).await.unwrap();
    let applied = doc! { "$set": { "_rollup_logmsg_host.applied": [mark] } };
    hosts.update_one(doc! { "_id": 2_i64 }, applied).await.unwrap();

    let proxy = Proxy::start([(1, Fault::Hold)]).await;
    let inserter = proxy.database(db.name()).await;
    let inserted = tokio::spawn(async move { Host::insert(&inserter, &host(1)).await });
    proxy.reached().await;
    LogMsg::insert(&db, &message(2, 1)).await.unwrap();
    let slow = Proxy::start(hold.map(|at| (at, Fault::Hold))).await;
    let behind = slow.database(db.name()).await;
    let recompute = tokio::spawn(async move { Host::recompute(&behind, 1).await });
    let recompute = match hold {
        Some(_) => {
            slow.reached().await;
            Some(recompute)
        }
        None => {
            recompute.await.unwrap().unwrap();
            None
        }
    };
    messages.update_one(doc! { "_id": 1_i64 }, doc! { "$unset": { "_pending_logmsg_host": "" } }).await.unwrap();
    hosts.update_one(doc! { "_id": 2_i64 }, doc! { "$unset": { "_rollup_logmsg_host.applied": "" } }).await.unwrap();
    proxy.release();
    inserted.await.unwrap().unwrap();
    if let Some(recompute) = recompute {
        slow.release();
        recompute.await.unwrap().unwrap();
    }
    assert_right(&db).await;
    schema.recover(&db, &Throttle::new()).await.unwrap();
    assert_right(&db).await;
    slow.names().len()
}
