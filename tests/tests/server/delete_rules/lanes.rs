//! Concurrent updates of references with a delete rule share transactions.

use futures_util::future::join_all;
use schema_runtime::{Error, prelude::*};
use schema_tests::{
    database_with_log,
    delete_rules::{Group, Host, Message, assert_no_orphans, count, group, host, message},
};

#[tokio::test]
async fn many_updates_are_few_transactions() {
    let (db, log) = database_with_log().await;
    Host::insert_many(&db, [host(1), host(2)]).await.unwrap();
    Message::insert_many(&db, (0..60).map(|id| message(id, 1))).await.unwrap();
    log.clear();
    // Host 99 does not exist.
    let host_of = |id: i64| if id == 17 { 99 } else { 2 };
    let update =
        async |id: i64| Message::update_by_id(id).set(Message::F.host, Ref::new(host_of(id))).execute(&db).await;
    for (id, updated) in join_all((0..60).map(update)).await.into_iter().enumerate() {
        match updated {
            Err(Error::DanglingReference { .. }) => assert_eq!(id, 17),
            updated => assert_eq!(updated.unwrap().modified, 1),
        }
    }
    let commits = log.named("commitTransaction").len();
    assert!(commits <= 16, "{commits} transactions for 60 updates");
    assert!(Host::delete_by_id(&db, 2).await.unwrap());
    assert_eq!(count(&db, "messages").await, 1);
    assert_no_orphans(&db).await;
}

/// A bulk of updates. Some of the updates leave the references to the server.
#[tokio::test]
async fn a_bulk_of_updates_shares_a_transaction() {
    let (db, log) = database_with_log().await;
    Host::insert_many(&db, (1..=4).map(host)).await.unwrap();
    Group::insert_many(&db, (0..30).map(|id| group(id, &[1, 2]))).await.unwrap();
    log.clear();
    let update = |id: i64| match id % 3 {
        0 => Group::update_by_id(id).set(Group::F.hosts, vec![Ref::new(3_i64)]),
        1 => Group::update_by_id(id).push(Group::F.hosts, Ref::new(4_i64)),
        _ => Group::update_by_id(id).raw(mongodb::bson::doc! { "$set": { "hosts.0": 3_i64 } }),
    };
    let bulk = (0..30).fold(Group::bulk(), |bulk, id| bulk.update(update(id)));
    assert_eq!(bulk.execute(&db).await.unwrap().complete().unwrap().modified, 30);
    assert_eq!(log.named("commitTransaction").len(), 1);
    let dangling = Group::bulk()
        .update(Group::update_by_id(1).set(Group::F.hosts, vec![Ref::new(2_i64)]))
        .update(Group::update_by_id(2).raw(mongodb::bson::doc! { "$set": { "hosts.1": 99_i64 } }));
    let report = dangling.execute(&db).await.unwrap();
    let refused: Vec<usize> = report.failures().map(|(at, _)| at).collect();
    assert_eq!(refused, [1]);
    for id in 1..=4 {
        assert!(Host::delete_by_id(&db, id).await.unwrap());
        assert_no_orphans(&db).await;
    }
}
