//! The writes of a bulk are done in their order, also the writes of the same child.

use mongodb::bson::{Document, doc};
use schema_runtime::{Error, prelude::*, schema};
use schema_tests::{
    Proxy, database, fail_command,
    rollups::{Counter, Host, LogMsg, all, assert_nothing_left, assert_right, host, message},
};

#[tokio::test]
async fn writes_of_one_child_are_done_in_their_order() {
    let db = database().await;
    schema![Host, LogMsg, Counter].plan(&db).await.unwrap().apply(&db).await.unwrap();
    Host::insert_many(&db, &[host(1), host(2), host(3)]).await.unwrap();
    LogMsg::insert(&db, &message(1, 1)).await.unwrap();
    let go = |id: i64, to: i64| LogMsg::update_by_id(id).set(LogMsg::F.host, Ref::new(to));
    // Two moves of a child; an insert and a move of a child; a delete and an insert with the same `_id`.
    let bulk = LogMsg::bulk().update(go(1, 2)).update(go(1, 3)).insert(&message(2, 1)).update(go(2, 2));
    let bulk = bulk.delete_by_id(1).insert(&message(1, 2));
    let counts = bulk.execute(&db).await.unwrap().complete().unwrap();
    assert_eq!((counts.matched, counts.inserted, counts.deleted), (3, 2, 1));
    let hosts = Host::find(Filter::all()).sort(Host::F.id.asc()).fetch_all(&db).await.unwrap();
    assert_eq!(hosts.iter().map(|host| host.messages).collect::<Vec<_>>(), [0, 2, 0]);
    assert_right(&db).await;
    assert_nothing_left(&db).await;
}

/// The server refuses the update of a parent: no write of the bulk is done, and the report says why.
#[tokio::test]
async fn a_parent_that_is_not_written() {
    let db = database().await;
    let schema = schema![Host, LogMsg, Counter];
    schema.plan(&db).await.unwrap().apply(&db).await.unwrap();
    Host::insert(&db, &host(1)).await.unwrap();
    let failing = fail_command(&db, doc! { "times": 1 }, doc! { "failCommands": ["update"], "errorCode": 8 }).await;
    let report = LogMsg::bulk().insert_many([message(1, 1), message(2, 1)]).execute(&db).await.unwrap();
    failing.clear().await;
    assert_eq!(report.counts.inserted, 0);
    assert!(report.complete().is_err());
    assert_eq!(all(&db, "logmsg").await, [] as [Document; 0]);
    assert_right(&db).await;
    assert_nothing_left(&db).await;
}

/// Of several concurrent deletes of the same child, exactly one gets `true`.
#[tokio::test]
async fn a_delete_is_reported_to_one() {
    let db = database().await;
    schema![Host, LogMsg, Counter].plan(&db).await.unwrap().apply(&db).await.unwrap();
    Host::insert(&db, &host(1)).await.unwrap();
    for id in 0..20 {
        LogMsg::insert(&db, &message(id, 1)).await.unwrap();
        let delete = async || LogMsg::delete_by_id(&db, id).await.unwrap();
        let deleted = futures_util::future::join_all((0..6).map(|_| delete())).await;
        assert_eq!(deleted.iter().filter(|deleted| **deleted).count(), 1, "message {id}");
    }
    assert_right(&db).await;
    assert_nothing_left(&db).await;
}

/// A validator refuses an update of many because of a single child: the update is refused at once, and nothing is left
/// behind.
#[tokio::test]
async fn an_update_of_many_that_a_validator_refuses() {
    let db = database().await;
    schema![Host, LogMsg, Counter].plan(&db).await.unwrap().apply(&db).await.unwrap();
    Host::insert(&db, &host(1)).await.unwrap();
    LogMsg::insert_many(&db, (1..=3).map(|id| message(id, 1))).await.unwrap();
    let least = doc! { "collMod": "logmsg", "validator": { "$or": [{ "_id": { "$ne": 2_i64 } }, { "size": { "$lt": 1_000 } }] } };
    db.run_command(least).await.unwrap();
    let proxy = Proxy::start([]).await;
    let counting = proxy.database(db.name()).await;
    let update = LogMsg::update_many(LogMsg::F.host.eq(Ref::new(1))).set(LogMsg::F.bytes, 1_000);
    let report = LogMsg::bulk().update(update).execute(&counting).await.unwrap();
    assert!(matches!(report.failures().next(), Some((0, Error::DocumentInvalid { .. }))), "{report:?}");
    assert!(proxy.names().len() < 20, "{:?}", proxy.names());
    assert_right(&db).await;
    assert_nothing_left(&db).await;
}
