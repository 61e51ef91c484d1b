//! Inserts and updates of children, concurrent with deletes of the parents.

use futures_util::future::join;
use schema_runtime::{Error, prelude::*, transaction};
use schema_tests::{Fault, PATIENCE, Proxy, database, database_with_log};

use schema_tests::delete_rules::{Host, Message, Note, Owner, assert_no_orphans, count, host, message, note, owner};

#[tokio::test]
async fn an_insert_reads_its_parent_behind_it() {
    let (db, log) = database_with_log().await;
    Host::insert(&db, &host(1)).await.unwrap();
    log.clear();
    Message::insert(&db, &message(1, 1)).await.unwrap();
    let names: Vec<String> = log.commands().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["insert", "find", "update"]);
    let dangling = Message::insert(&db, &message(2, 7)).await.unwrap_err();
    assert!(
        matches!(&dangling, Error::DanglingReference { relation, collection: "hosts", .. } if relation == "Message.host"),
        "{dangling:?}"
    );
    let many = Message::insert_many(&db, [message(3, 1), message(4, 7)]).await.unwrap_err();
    assert!(matches!(many, Error::DanglingReference { .. }), "{many:?}");
    assert_eq!(count(&db, "messages").await, 1);
    assert_no_orphans(&db).await;
    log.clear();
    // A null reference needs no check.
    Note::insert(&db, &Note { id: 1, host: None }).await.unwrap();
    assert_eq!(log.commands().len(), 1);
}

#[tokio::test]
async fn an_update_conflicts_with_the_delete_of_what_it_refers_to() {
    let db = database().await;
    Host::insert_many(&db, (1..=3).map(host)).await.unwrap();
    Message::insert(&db, &message(1, 1)).await.unwrap();
    Note::insert(&db, &note(1, 1)).await.unwrap();
    Message::update_by_id(1).set(Message::F.host, Ref::new(2_i64)).execute(&db).await.unwrap();
    Message::HOST.reassign(&db, 1, 3).await.unwrap();
    let dangling = Message::HOST.reassign(&db, 1, 9).await.unwrap_err();
    assert!(matches!(dangling, Error::DanglingReference { .. }), "{dangling:?}");
    assert_eq!(Message::get_by_id(&db, 1).await.unwrap().host, Ref::new(3_i64));
    let dangling = Note::upsert(&db, &note(1, 9)).await.unwrap_err();
    assert!(matches!(dangling, Error::DanglingReference { .. }), "{dangling:?}");
    Note::upsert(&db, &note(1, 2)).await.unwrap();
    let dangling = Note::update_one(Note::F.id.eq(8)).set(Note::F.host, Some(Ref::new(9_i64))).upsert().execute(&db);
    let dangling = dangling.await.unwrap_err();
    assert!(matches!(dangling, Error::DanglingReference { .. }), "{dangling:?}");
    let raw = Note::update_by_id(1).raw(doc! { "$min": { "host": -5_i64 } }).execute(&db).await.unwrap_err();
    assert!(matches!(raw, Error::DanglingReference { .. }), "{raw:?}");
    let bulk = Note::bulk()
        .update(Note::update_by_id(1).set(Note::F.host, Some(Ref::new(3_i64))))
        .update(Note::update_by_id(1).set(Note::F.host, Some(Ref::new(9_i64))))
        .insert(&note(5, 3))
        .insert(&note(6, 1))
        .unordered();
    let report = bulk.execute(&db).await.unwrap();
    assert_eq!(report.failures().map(|(at, _)| at).collect::<Vec<_>>(), [1]);
    assert_no_orphans(&db).await;
    // A parent stays unchanged.
    let stored = db.collection::<mongodb::bson::Document>("hosts").find_one(doc! { "_id": 2 }).await.unwrap().unwrap();
    assert_eq!(stored, doc! { "_id": 2_i64, "name": "host 2" });
}

/// The insert is held before its read, and the host is deleted meanwhile.
#[tokio::test]
async fn an_insert_that_is_overtaken_by_a_delete_takes_its_child_back() {
    let db = database().await;
    for at in 1..=2 {
        Host::insert(&db, &host(1)).await.unwrap();
        let proxy = Proxy::start([(at, Fault::Hold)]).await;
        let slow = proxy.database(db.name()).await;
        let insert = async {
            let inserted = Message::insert(&slow, &message(1, 1)).await;
            assert!(matches!(inserted, Err(Error::DanglingReference { .. }) | Ok(())), "{inserted:?}");
        };
        let delete = async {
            proxy.reached().await;
            assert!(Host::delete_by_id(&db, 1).await.unwrap());
            proxy.release();
        };
        join(insert, delete).await;
        assert_no_orphans(&db).await;
        assert_eq!(count(&db, "messages").await, 0);
    }
}

/// The delete is held at each of its commands, and a child is inserted meanwhile.
#[tokio::test]
async fn a_delete_that_is_overtaken_by_an_insert_leaves_no_orphan() {
    for at in 0..12 {
        let db = database().await;
        Host::insert(&db, &host(1)).await.unwrap();
        Message::insert(&db, &message(1, 1)).await.unwrap();
        let proxy = Proxy::start([(at, Fault::Hold)]).await;
        let slow = proxy.database(db.name()).await;
        let delete = async {
            let deleted = Host::delete_by_id(&slow, 1).await;
            assert!(matches!(deleted, Err(Error::DeleteRestricted { .. }) | Ok(true)), "{deleted:?}");
            proxy.release();
        };
        let insert = async {
            proxy.reached().await;
            let inserted = Owner::insert(&db, &owner(1, 1)).await;
            assert!(matches!(inserted, Err(Error::DanglingReference { .. }) | Ok(())), "{at}: {inserted:?}");
            let inserted = Message::insert(&db, &message(2, 1)).await;
            assert!(matches!(inserted, Err(Error::DanglingReference { .. }) | Ok(())), "{at}: {inserted:?}");
            proxy.release();
        };
        tokio::select! {
            _ = join(delete, insert) => {}
            () = tokio::time::sleep(PATIENCE) => panic!("{at}: {:?}", proxy.names()),
        }
        assert_no_orphans(&db).await;
        assert!(count(&db, "owners").await <= count(&db, "hosts").await);
    }
}

#[tokio::test]
async fn a_child_that_is_inserted_in_a_transaction_conflicts_with_a_delete() {
    let db = database().await;
    Host::insert(&db, &host(1)).await.unwrap();
    let inserted = transaction(&db, |tx| {
        let db = db.clone();
        async move {
            Message::insert(&tx, &message(1, 1)).await?;
            // The delete waits for the lock, or gets an error for a retry.
            let deleted = tokio::time::timeout(std::time::Duration::from_millis(200), delete_raw(&db)).await;
            assert!(!matches!(deleted, Ok(true)));
            Ok::<_, Error>(())
        }
    });
    inserted.await.unwrap();
    assert_eq!(count(&db, "messages").await, 1);
}

/// Sends the first command of a delete by another client.
async fn delete_raw(db: &Database) -> bool {
    let hosts = db.collection::<mongodb::bson::Document>("hosts");
    let update = doc! { "$set": { "_deleting": { "mark": ObjectId::new(), "passed": true } } };
    hosts.update_one(doc! { "_id": 1 }, update).await.is_ok()
}

/// An upsert has checked that the host exists, and removes the marker of an unchecked insert. The client of the insert
/// would delete the owner by the marker.
#[tokio::test]
async fn an_upsert_has_looked() {
    let db = database().await;
    Host::insert(&db, &host(1)).await.unwrap();
    let owners = db.collection::<mongodb::bson::Document>("owners");
    owners.insert_one(doc! { "_id": 1_i64, "host": 2_i64, "_unchecked": ObjectId::new() }).await.unwrap();
    Owner::update_by_id(1).set(Owner::F.host, Ref::new(1)).upsert().execute(&db).await.unwrap();
    assert_eq!(owners.find_one(doc! {}).await.unwrap(), Some(doc! { "_id": 1_i64, "host": 1_i64 }));
    Owner::update_by_id(2).set(Owner::F.host, Ref::new(1)).upsert().execute(&db).await.unwrap();
    assert_eq!(owners.count_documents(doc! { "_unchecked": { "$exists": true } }).await.unwrap(), 0);
}
