//! A child with two parents has a record for each, and another client may take over one of them alone.

use mongodb::bson::{Document, doc, oid::ObjectId};
use schema_runtime::{Throttle, prelude::*, schema};
use schema_tests::{
    Fault, Proxy, database,
    rollups::{Counter, Host, LogMsg, all, assert_no_marks, assert_right, counter, host, message},
};

/// Two hosts, a counter, and two messages of the host 1.
async fn begin() -> mongodb::Database {
    let db = database().await;
    schema![Host, LogMsg, Counter].plan(&db).await.unwrap().apply(&db).await.unwrap();
    Host::insert_many(&db, &[host(1), host(2)]).await.unwrap();
    Counter::insert(&db, &counter(1)).await.unwrap();
    LogMsg::insert_many(&db, &[message(1, 1), message(2, 1)]).await.unwrap();
    db
}

/// What the host keeps of it is written, and what the counter keeps is not.
async fn another_text(db: &mongodb::Database) -> u64 {
    LogMsg::update_many(LogMsg::F.id.eq(1)).set(LogMsg::F.text, "another").run(db).await.unwrap().matched
}

/// An update of many has prepared both records. One of them is taken over and cleared: it is prepared again beside the other.
#[tokio::test]
async fn an_update_of_many_loses_one_record() {
    let db = begin().await;
    let proxy = Proxy::start([(1, Fault::Hold)]).await;
    let mover = proxy.database(db.name()).await;
    let f = LogMsg::F;
    let moved = tokio::spawn(async move {
        let many = LogMsg::update_many(Filter::all());
        many.set(f.host, Ref::new(2)).set(f.counter, Some(Ref::new(1))).run(&mover).await
    });
    proxy.reached().await;
    assert_eq!(proxy.names(), ["update", "find"], "both records are there");
    assert_eq!(another_text(&db).await, 1);
    proxy.release();
    assert_eq!(moved.await.unwrap().unwrap().matched, 2, "{:?}", proxy.names());
    assert_eq!(Counter::get_by_id(&db, &1).await.unwrap().messages, 2);
    assert_right(&db).await;
    assert_no_marks(&db).await;
}

/// A delete of many has prepared both records, and another client comes to the first: it goes, and is among those that were deleted.
#[tokio::test]
async fn a_delete_of_many_loses_one_record() {
    let db = begin().await;
    let proxy = Proxy::start([(1, Fault::Hold)]).await;
    let deleter = proxy.database(db.name()).await;
    let deleted = tokio::spawn(async move { LogMsg::delete_many(&deleter, Filter::all()).await });
    proxy.reached().await;
    assert_eq!(proxy.names(), ["update", "find"], "both records are there");
    assert_eq!(another_text(&db).await, 0);
    proxy.release();
    assert_eq!(deleted.await.unwrap().unwrap(), 2, "{:?}", proxy.names());
    assert_eq!(all(&db, "logmsg").await, [] as [Document; 0]);
    assert_right(&db).await;
    assert_no_marks(&db).await;
}

/// A client has stopped while it deleted a child, and one of the records was cleared. Another write of the child waits for nobody: it goes.
#[tokio::test]
async fn a_write_of_what_a_stopped_client_deletes() {
    let db = begin().await;
    LogMsg::update_by_id(1).set(LogMsg::F.counter, Some(Ref::new(1))).run(&db).await.unwrap();
    let mark = ObjectId::new();
    let gone = doc! { "$set": { "_gone": mark, "_pending_logmsg_counter": { "mark": mark, "at": [{ "parent": 1_i64, "has": {} }] } } };
    db.collection::<Document>("logmsg").update_one(doc! { "_id": 1_i64 }, gone).await.unwrap();
    Host::recompute(&db, 1).await.unwrap();
    assert_eq!(another_text(&db).await, 0);
    assert_eq!(all(&db, "logmsg").await.len(), 1);
    assert_eq!(Counter::get_by_id(&db, &1).await.unwrap().messages, 0);
    schema![Host, LogMsg, Counter].recover(&db, &Throttle::new()).await.unwrap();
    assert_right(&db).await;
    assert_no_marks(&db).await;
}
