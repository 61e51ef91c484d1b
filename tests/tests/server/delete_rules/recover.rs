//! The leftovers of a client that stopped in a delete or an insert.

use mongodb::bson::{Document, doc, oid::ObjectId};
use schema_runtime::{Error, Throttle, prelude::*};
use schema_tests::{Fault, Proxy, database, database_with_log};

use schema_tests::delete_rules::{
    Group, Host, Message, Note, Owner, assert_no_orphans, count, group, host, message, note, owner, the_schema,
};

/// A client stops before or after each command of a delete.
#[tokio::test]
async fn a_delete_that_is_stopped_is_gone_on_with() {
    for fault in [Fault::StopBefore, Fault::StopAfter] {
        for at in 0..14 {
            let db = database().await;
            Host::insert(&db, &host(1)).await.unwrap();
            Message::insert_many(&db, (0..3).map(|id| message(id, 1))).await.unwrap();
            Note::insert(&db, &note(1, 1)).await.unwrap();
            Group::insert(&db, &group(1, &[1])).await.unwrap();
            stopped(&db, (at, fault), async |db| Host::delete_by_id(&db, 1).await.map(drop)).await;
            the_schema().recover(&db, &Throttle::new()).await.unwrap();
            assert_no_orphans(&db).await;
            let there = (count(&db, "hosts").await, count(&db, "messages").await);
            assert!(there == (1, 3) || there == (0, 0), "{at}: {there:?}");
        }
    }
}

/// A client stops in an insert, and the host is deleted after the stop.
#[tokio::test]
async fn an_insert_that_is_stopped_is_checked() {
    for fault in [Fault::StopBefore, Fault::StopAfter] {
        for at in 0..4 {
            for many in [false, true] {
                let db = database().await;
                Host::insert(&db, &host(1)).await.unwrap();
                stopped(&db, (at, fault), async |db| match many {
                    true => Owner::insert_many(&db, [owner(1, 1), owner(2, 1)]).await,
                    false => Owner::insert(&db, &owner(1, 1)).await,
                })
                .await;
                db.collection::<Document>("hosts").delete_one(doc! { "_id": 1 }).await.unwrap();
                the_schema().recover(&db, &Throttle::new()).await.unwrap();
                let left = doc! { "_unchecked": { "$exists": true } };
                assert_eq!(db.collection::<Document>("owners").count_documents(left).await.unwrap(), 0);
            }
        }
    }
}

/// Runs the work of a client, and stops the client at a command.
async fn stopped(db: &Database, fault: (usize, Fault), work: impl AsyncFn(Database) -> schema_runtime::Result<()>) {
    let proxy = Proxy::start([fault]).await;
    let client = proxy.database(db.name()).await;
    tokio::select! {
        // The result before the stop does not matter.
        _ = work(client) => {}
        () = proxy.reached() => {}
    }
}

#[tokio::test]
async fn what_recover_says_and_does() {
    let db = database().await;
    Host::insert_many(&db, (1..=4).map(host)).await.unwrap();
    Owner::insert(&db, &owner(1, 2)).await.unwrap();
    Message::insert_many(&db, [message(1, 1), message(2, 2), message(3, 3)]).await.unwrap();
    let (hosts, messages) = (db.collection::<Document>("hosts"), db.collection::<Document>("messages"));
    let deleting = doc! { "$set": { "_deleting": { "mark": ObjectId::new(), "passed": false } } };
    hosts.update_many(doc! { "_id": { "$lte": 2 } }, deleting).await.unwrap();
    let unchecked = |id: i64, host: i64| doc! { "_id": id, "host": host, "_unchecked": ObjectId::new() };
    messages.insert_many([unchecked(10, 3), unchecked(11, 77)]).await.unwrap();
    // The documents of a mark belong together: a kept document keeps both.
    let recovered = the_schema().recover(&db, &Throttle::new()).await.unwrap();
    assert_eq!(
        recovered.to_string(),
        "Host: 2 deletes that a `restrict` stops\nMessage: 1 unchecked insert, 1 document written\n\
         Message: 1 insert of an orphan, 1 document written"
    );
    assert_eq!((count(&db, "hosts").await, count(&db, "messages").await), (4, 4));
    assert_no_orphans(&db).await;
    let passed = doc! { "$set": { "_deleting": { "mark": ObjectId::new(), "passed": true } } };
    hosts.update_one(doc! { "_id": 1 }, passed).await.unwrap();
    // Another delete of the host continues the first delete.
    assert!(Host::delete_by_id(&db, 1).await.unwrap());
    assert_eq!((count(&db, "hosts").await, count(&db, "messages").await), (3, 3));
    assert_eq!(the_schema().recover(&db, &Throttle::new()).await.unwrap().to_string(), "nothing to recover");
    let kept = Host::delete_by_id(&db, 2).await.unwrap_err();
    assert!(matches!(kept, Error::DeleteRestricted { .. }), "{kept:?}");
}

/// Another program deleted the parent: each child is repaired by the delete rule of its relation.
#[tokio::test]
async fn orphans_are_found_and_repaired_as_the_rule_says() {
    let db = database().await;
    Host::insert_many(&db, (1..=2).map(host)).await.unwrap();
    Owner::insert(&db, &owner(1, 1)).await.unwrap();
    Message::insert_many(&db, [message(1, 1), message(2, 2)]).await.unwrap();
    Note::insert(&db, &note(1, 1)).await.unwrap();
    Group::insert(&db, &group(1, &[1, 2])).await.unwrap();
    db.collection::<Document>("hosts").delete_one(doc! { "_id": 1 }).await.unwrap();
    assert_eq!(the_schema().verify(&db).await.unwrap().findings().len(), 4);
    let repaired = the_schema().repair(&db, &Throttle::new()).await.unwrap();
    assert_eq!(
        repaired.to_string(),
        "Message.host: 1 orphan, 1 document written\nOwner.host: 1 orphan that stays because of a `restrict`\n  1 -> \
         [1]\n\
         Note.host: 1 orphan, 1 document written\nGroup.hosts: 1 orphan, 1 document written"
    );
    assert_eq!(count(&db, "messages").await, 1);
    assert_eq!(Note::get_by_id(&db, 1).await.unwrap().host, None);
    assert_eq!(Group::get_by_id(&db, 1).await.unwrap().hosts, [Ref::new(2_i64)]);
    assert!(Owner::delete_by_id(&db, 1).await.unwrap());
    assert!(the_schema().verify(&db).await.unwrap().is_clean());
}

/// A delete concerns two documents, and a document of the two is kept: another client was deleting the document, and an
/// owner was inserted. The delete leaves the second document without a mark.
#[tokio::test]
async fn one_that_is_kept_leaves_no_mark_at_the_others() {
    let (dry, log) = database_with_log().await;
    Host::insert_many(&dry, [host(1), host(2)]).await.unwrap();
    log.clear();
    assert_eq!(Host::delete_many(&dry, Filter::all()).await.unwrap(), 2);
    let marks = log.commands().iter().position(|(name, _)| name == "update").expect("it marks them");
    let db = database().await;
    Host::insert_many(&db, [host(1), host(2)]).await.unwrap();
    let proxy = Proxy::start([(marks, Fault::Hold)]).await;
    let slow = proxy.database(db.name()).await;
    let deleted = tokio::spawn(async move { Host::delete_many(&slow, Filter::all()).await });
    proxy.reached().await;
    assert_eq!(proxy.names().last().map(String::as_str), Some("update"), "{:?}", proxy.names());
    let deleting = doc! { "$set": { "_deleting": { "mark": ObjectId::new(), "passed": false } } };
    db.collection::<Document>("hosts").update_one(doc! { "_id": 1_i64 }, deleting).await.unwrap();
    db.collection::<Document>("owners").insert_one(doc! { "_id": 7_i64, "host": 1_i64 }).await.unwrap();
    proxy.release();
    let kept = deleted.await.unwrap().unwrap_err();
    assert!(matches!(kept, Error::DeleteRestricted { .. }), "{kept:?}");
    let marked = doc! { "_deleting": { "$exists": true } };
    assert_eq!(db.collection::<Document>("hosts").count_documents(marked).await.unwrap(), 0);
    assert_no_orphans(&db).await;
}
