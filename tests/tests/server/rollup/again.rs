//! A parent is deleted and inserted again while a client is about to apply what it has written. What was revoked at the old one is not known
//! to the new one.

use schema_runtime::{Throttle, prelude::*, schema};
use schema_tests::{
    Fault, Proxy, database,
    rollups::{Counter, Host, LogMsg, assert_no_marks, assert_right, host, message},
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
