//! Every kind of write of a child updates its parents.

use mongodb::bson::{Document, doc};
use schema_runtime::{
    Error, Throttle,
    local::{Server, Topology},
    prelude::*,
    schema, transaction,
};
use schema_tests::{
    database,
    rollups::{Counter, Host, LogMsg, all, assert_nothing_left, assert_right, counter, host, message},
};

async fn hosts(db: &Database) {
    Host::insert_many(db, &[host(1), host(2)]).await.unwrap();
    Counter::insert_many(db, &[counter(1), counter(2)]).await.unwrap();
}

async fn messages(db: &Database, host: i64) -> i64 {
    Host::get_by_id(db, &host).await.unwrap().messages
}

#[tokio::test]
async fn a_new_parent_has_nothing() {
    let db = database().await;
    Host::insert(&db, &host(1)).await.unwrap();
    let mut created = host(2);
    Host::create(&db, &mut created).await.unwrap();
    assert_eq!((created.messages, created.recent.len(), created.average), (0, 0, None));
    Host::bulk().insert(&host(3)).execute(&db).await.unwrap().complete().unwrap();
    Host::update_by_id(4).set(Host::F.name, "host 4").upsert().execute(&db).await.unwrap();
    assert_eq!(all(&db, "hosts").await.len(), 4);
    assert_right(&db).await;
    assert_nothing_left(&db).await;
}

#[tokio::test]
async fn inserts() {
    let db = database().await;
    hosts(&db).await;
    LogMsg::insert(&db, &message(1, 1)).await.unwrap();
    assert_right(&db).await;
    let mut second = LogMsg { counter: Some(Ref::new(1)), ..message(5, 1) };
    LogMsg::create(&db, &mut second).await.unwrap();
    // A message older than all kept messages, and a message that pushes the oldest kept message out.
    LogMsg::insert(&db, &message(3, 1)).await.unwrap();
    LogMsg::insert(&db, &message(2, 1)).await.unwrap();
    LogMsg::insert(&db, &message(9, 1)).await.unwrap();
    assert_right(&db).await;
    let many: Vec<LogMsg> =
        (10..60).map(|id| LogMsg { counter: Some(Ref::new(1 + id % 2)), ..message(id, 1 + id % 2) }).collect();
    LogMsg::insert_many(&db, &many).await.unwrap();
    LogMsg::bulk().insert(&message(60, 2)).insert(&message(61, 1)).execute(&db).await.unwrap().complete().unwrap();
    let second = Ref::<Host>::new(2);
    let built = LogMsg::insert_with(&db, &second, |host| LogMsg { text: host.name.clone(), ..message(62, 2) });
    assert_eq!(built.await.unwrap().text, "host 2");
    assert_right(&db).await;
    let of = Counter::get_by_id(&db, &2).await.unwrap();
    assert_eq!((of.messages, of.last), (25, Some(DateTime::from_millis(59 * 60_000))));
    assert_eq!(of.newest.iter().map(|line| line.id).collect::<Vec<_>>(), [59, 57]);
    assert_nothing_left(&db).await;
}

#[tokio::test]
async fn a_child_of_no_parent_is_not_inserted() {
    let db = database().await;
    hosts(&db).await;
    let error = LogMsg::insert(&db, &message(1, 3)).await.unwrap_err();
    let Error::DanglingReference { relation, id, holder, .. } = &error else { panic!("{error}") };
    assert_eq!((relation.as_str(), &**id, &**holder), ("LogMsg.host", &3_i64.into(), &1_i64.into()));
    assert_eq!(all(&db, "logmsg").await.len(), 0);
}

/// A batch is a single transaction: a refused batch inserts nothing.
#[tokio::test]
async fn a_batch_that_is_refused_half_way() {
    let db = database().await;
    hosts(&db).await;
    let error =
        LogMsg::insert_many(&db, &[message(1, 1), message(2, 2), message(1, 1), message(3, 1)]).await.unwrap_err();
    assert!(matches!(error, Error::InsertMany { index: Some(2), inserted: 0, .. }), "{error}");
    assert_eq!((messages(&db, 1).await, messages(&db, 2).await), (0, 0));
    assert_right(&db).await;
    assert_nothing_left(&db).await;
}

#[tokio::test]
async fn changes() {
    let db = database().await;
    hosts(&db).await;
    let many: Vec<LogMsg> = (1..20).map(|id| message(id, 1 + id % 2)).collect();
    LogMsg::insert_many(&db, &many).await.unwrap();
    LogMsg::update_by_id(19).set(LogMsg::F.text, "new").execute(&db).await.unwrap();
    assert_right(&db).await;
    LogMsg::update_many(LogMsg::F.bytes.gt(50)).inc(LogMsg::F.bytes, 1_000).execute(&db).await.unwrap();
    assert_right(&db).await;
    LogMsg::update_one(LogMsg::F.id.eq(1))
        .set(LogMsg::F.time, DateTime::from_millis(90_000_000))
        .execute(&db)
        .await
        .unwrap();
    assert_right(&db).await;
    let after = LogMsg::find_one_and_update(LogMsg::F.id.eq(2)).set(LogMsg::F.bytes, 3).fetch_after(&db).await.unwrap();
    assert_eq!(after.unwrap().bytes, 3);
    assert_right(&db).await;
    LogMsg::replace(&db, &LogMsg { bytes: 9_999, ..message(3, 2) }).await.unwrap();
    assert_right(&db).await;
    let mut saved = LogMsg { bytes: 9_998, ..message(4, 1) };
    LogMsg::save(&db, &mut saved).await.unwrap();
    assert_right(&db).await;
    let bulk = LogMsg::bulk().update(LogMsg::update_by_id(5).set(LogMsg::F.bytes, 77)).replace(&message(6, 1));
    bulk.execute(&db).await.unwrap().complete().unwrap();
    assert_right(&db).await;
    // An upsert that inserts a child.
    let insert =
        LogMsg::update_by_id(30).set(LogMsg::F.host, Ref::new(1)).set(LogMsg::F.time, DateTime::from_millis(1));
    insert
        .set(LogMsg::F.text, "upserted")
        .set(LogMsg::F.bytes, 1)
        .set(LogMsg::F.read, false)
        .upsert()
        .execute(&db)
        .await
        .unwrap();
    assert_right(&db).await;
    assert_nothing_left(&db).await;
}

#[tokio::test]
async fn moves() {
    let db = database().await;
    hosts(&db).await;
    let many: Vec<LogMsg> = (1..20).map(|id| message(id, 1 + id % 2)).collect();
    LogMsg::insert_many(&db, &many).await.unwrap();
    LogMsg::update_by_id(19).set(LogMsg::F.host, Ref::new(1)).execute(&db).await.unwrap();
    assert_right(&db).await;
    LogMsg::update_by_id(18).set(LogMsg::F.counter, Some(Ref::new(1))).execute(&db).await.unwrap();
    LogMsg::update_by_id(18).set(LogMsg::F.counter, Some(Ref::new(2))).execute(&db).await.unwrap();
    assert_eq!(Counter::get_by_id(&db, &1).await.unwrap().messages, 0);
    assert_eq!(Counter::get_by_id(&db, &2).await.unwrap().messages, 1);
    LogMsg::update_by_id(18).set(LogMsg::F.counter, None).execute(&db).await.unwrap();
    assert_eq!(Counter::get_by_id(&db, &2).await.unwrap(), Counter { messages: 0, ..counter(2) });
    let moved = LogMsg::update_many(LogMsg::F.id.lt(8)).set(LogMsg::F.host, Ref::new(2)).execute(&db).await.unwrap();
    assert_eq!(moved.matched, 7);
    assert_right(&db).await;
    let mut saved = LogMsg { bytes: 5_000, ..message(7, 1) };
    LogMsg::save(&db, &mut saved).await.unwrap();
    assert_right(&db).await;
    let bulk = LogMsg::bulk().update(LogMsg::update_by_id(5).set(LogMsg::F.host, Ref::new(1))).replace(&message(6, 2));
    bulk.execute(&db).await.unwrap().complete().unwrap();
    assert_right(&db).await;
    assert_nothing_left(&db).await;
    let error = LogMsg::update_by_id(77).set(LogMsg::F.host, Ref::new(1)).execute(&db).await.unwrap_err();
    assert!(matches!(error, Error::NotFound { .. }), "{error}");
}

#[tokio::test]
async fn deletes() {
    let db = database().await;
    hosts(&db).await;
    let many: Vec<LogMsg> =
        (1..30).map(|id| LogMsg { counter: Some(Ref::new(1)), ..message(id, 1 + id % 2) }).collect();
    LogMsg::insert_many(&db, &many).await.unwrap();
    assert!(LogMsg::delete(&db, &many[28]).await.unwrap());
    assert!(!LogMsg::delete(&db, &many[28]).await.unwrap());
    assert!(LogMsg::delete_by_id(&db, &2).await.unwrap());
    assert!(LogMsg::delete_one(&db, LogMsg::F.id.lt(9)).await.unwrap());
    assert_right(&db).await;
    assert_eq!(LogMsg::delete_many(&db, LogMsg::F.id.gt(15)).await.unwrap(), 13);
    assert_right(&db).await;
    let bulk = LogMsg::bulk().delete_by_id(&10).delete_many(LogMsg::F.id.gt(13)).insert(&message(50, 1));
    let counts = bulk.execute(&db).await.unwrap().complete().unwrap();
    assert_eq!((counts.deleted, counts.inserted), (3, 1));
    assert_right(&db).await;
    assert_eq!(Counter::get_by_id(&db, &1).await.unwrap().messages, all(&db, "logmsg").await.len() as i64 - 1);
    LogMsg::delete_many(&db, Filter::all()).await.unwrap();
    assert_eq!(all(&db, "logmsg").await.len(), 0);
    assert_right(&db).await;
    assert_nothing_left(&db).await;
}

/// The parents have fields of their own. Writes of these fields leave the kept values unchanged.
#[tokio::test]
async fn writes_of_the_parent_keep_what_is_kept() {
    let db = database().await;
    hosts(&db).await;
    LogMsg::insert_many(&db, &[message(1, 1), message(2, 1)]).await.unwrap();
    Host::replace(&db, &Host { name: "other".to_owned(), ..host(1) }).await.unwrap();
    assert_right(&db).await;
    let mut saved = Host { name: "third".to_owned(), ..host(1) };
    Host::save(&db, &mut saved).await.unwrap();
    assert_eq!((saved.name.as_str(), saved.messages), ("third", 2));
    Host::bulk()
        .replace(&Host { name: "fourth".to_owned(), ..host(1) })
        .execute(&db)
        .await
        .unwrap()
        .complete()
        .unwrap();
    assert_eq!(Host::get_by_id(&db, &1).await.unwrap().name, "fourth");
    Host::update_by_id(1).set(Host::F.name, "fifth").execute(&db).await.unwrap();
    assert_right(&db).await;
    // The host is deleted and inserted again with the same `_id`: the children of the host still exist.
    Host::delete_by_id(&db, &1).await.unwrap();
    LogMsg::update_by_id(2).set(LogMsg::F.bytes, 1).execute(&db).await.unwrap();
    LogMsg::delete_by_id(&db, &1).await.unwrap();
    Host::insert(&db, &host(1)).await.unwrap();
    assert_eq!(messages(&db, 1).await, 1);
    assert_right(&db).await;
    assert_nothing_left(&db).await;
}

#[tokio::test]
async fn in_a_transaction() {
    let db = database().await;
    hosts(&db).await;
    LogMsg::insert_many(&db, &[message(1, 1), message(2, 1), message(3, 1)]).await.unwrap();
    transaction(&db, |tx| async move {
        Host::insert(&tx, &host(3)).await?;
        LogMsg::insert(&tx, &message(4, 3)).await?;
        LogMsg::insert_many(&tx, &[message(5, 1), message(6, 2)]).await?;
        LogMsg::update_by_id(1).set(LogMsg::F.bytes, 4_000).execute(&tx).await?;
        LogMsg::update_by_id(2).set(LogMsg::F.host, Ref::new(2)).execute(&tx).await?;
        LogMsg::delete_by_id(&tx, &3).await?;
        Ok::<_, Error>(())
    })
    .await
    .unwrap();
    assert_eq!(all(&db, "logmsg").await.len(), 5);
    assert_right(&db).await;
    assert_nothing_left(&db).await;
    let aborted = transaction(&db, |tx| async move {
        LogMsg::insert(&tx, &message(7, 1)).await?;
        LogMsg::delete_by_id(&tx, &1).await?;
        Host::insert(&tx, &host(1)).await
    });
    aborted.await.unwrap_err();
    assert_right(&db).await;
    assert_nothing_left(&db).await;
}

/// 8 concurrent writers of children of the same parent: no write is lost, and no write is counted twice.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn eight_writers_of_one_parent() {
    let db = database().await;
    hosts(&db).await;
    let writers: Vec<_> = (0..8)
        .map(|writer| {
            let db = db.clone();
            tokio::spawn(async move {
                for at in 0..25 {
                    let id = 1 + writer * 25 + at;
                    LogMsg::insert(&db, &message(id, 1)).await.unwrap();
                    match at % 6 {
                        1 => drop(
                            LogMsg::update_by_id(id)
                                .set(LogMsg::F.bytes, 1_000 + id as i32)
                                .execute(&db)
                                .await
                                .unwrap(),
                        ),
                        3 => assert!(LogMsg::delete_by_id(&db, &id).await.unwrap()),
                        5 => {
                            LogMsg::update_by_id(id).set(LogMsg::F.host, Ref::new(2)).execute(&db).await.unwrap();
                        }
                        _ => {}
                    }
                }
            })
        })
        .collect();
    for writer in writers {
        writer.await.unwrap();
    }
    assert_right(&db).await;
    assert_nothing_left(&db).await;
}

#[tokio::test]
async fn what_was_written_past_the_crate_is_found_and_recomputed() {
    let db = database().await;
    hosts(&db).await;
    LogMsg::insert_many(&db, &[message(1, 1), message(2, 1), message(3, 2)]).await.unwrap();
    let schema = schema![Host, LogMsg, Counter];
    assert!(schema.verify(&db).await.unwrap().is_clean());
    db.collection::<Document>("logmsg").delete_one(doc! { "_id": 2_i64 }).await.unwrap();
    db.collection::<Document>("hosts")
        .update_one(doc! { "_id": 2_i64 }, doc! { "$set": { "least": 1 } })
        .await
        .unwrap();
    let report = schema.verify(&db).await.unwrap();
    assert_eq!(
        report.to_string(),
        "Host.recent, messages, totalBytes, average, least, greatest: 2 documents that differ from the children\n  1\n  2"
    );
    assert!(Host::recompute(&db, &1).await.unwrap());
    assert!(!Host::recompute(&db, &9).await.unwrap());
    assert_eq!(messages(&db, 1).await, 1);
    assert_eq!(Host::recompute_all(&db).await.unwrap().parents, 2);
    assert!(schema.verify(&db).await.unwrap().is_clean());
    assert!(schema.recover(&db, &Throttle::new()).await.unwrap().is_empty());
    assert_right(&db).await;
}

/// An index serves the reads of the minimum and the maximum. The index is part of the plan.
#[tokio::test]
async fn what_is_read_again_has_indexes() {
    let db = database().await;
    let schema = schema![Host, LogMsg, Counter];
    schema.plan(&db).await.unwrap().apply(&db).await.unwrap();
    assert!(schema.plan(&db).await.unwrap().is_empty());
    let children = db.collection::<Document>("logmsg").list_index_names().await.unwrap();
    assert!(children.contains(&"host_1_size_1".to_owned()), "{children:?}");
}

/// A standalone server has no transactions.
#[tokio::test]
async fn a_standalone_is_refused() {
    let server = Server::builder().own(true).topology(Topology::Standalone).start().await.unwrap();
    let db = server.client().await.unwrap().database("rollups");
    for error in [
        Host::insert(&db, &host(1)).await.unwrap_err(),
        LogMsg::insert(&db, &message(1, 1)).await.unwrap_err(),
        LogMsg::update_by_id(1).set(LogMsg::F.bytes, 4_000).execute(&db).await.unwrap_err(),
        LogMsg::delete_by_id(&db, &1).await.unwrap_err(),
    ] {
        assert!(matches!(error, Error::NotReplicaSet), "{error:?}");
    }
    assert_eq!(all(&db, "logmsg").await, [] as [Document; 0]);
}
