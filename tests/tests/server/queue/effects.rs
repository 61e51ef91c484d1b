//! Deletes and updates that return the first document of an order, with the effects of the write.

use schema_tests::{database, database_with_log, delete_rules, fail_command, links, rollups, trees};

use super::*;

#[tokio::test]
async fn a_child_leaves_its_parent_in_one_transaction() {
    use rollups::{Host, LogMsg};

    let (db, log) = database_with_log().await;
    Host::insert(&db, &rollups::host(1)).await.unwrap();
    LogMsg::insert_many(&db, (1..=4).map(|id| rollups::message(id, 1))).await.unwrap();
    log.clear();
    let newest = LogMsg::find_one_and_delete(LogMsg::F.host.eq(1)).sort(LogMsg::F.time.desc());
    assert_eq!(newest.clone().fetch(&db).await.unwrap().unwrap().id, 4);
    let names: Vec<String> = log.commands().into_iter().map(|(name, _)| name).collect();
    assert_eq!((names[0].as_str(), names.last().unwrap().as_str()), ("find", "commitTransaction"), "{names:?}");
    assert_eq!(log.named("find")[0].get_document("sort").unwrap(), &doc! { "time": -1 });
    let host = Host::get_by_id(&db, 1).await.unwrap();
    let recent: Vec<i64> = host.recent.iter().map(|line| line.id).collect();
    assert_eq!((host.messages, recent), (3, vec![3, 2, 1]));

    // Nothing of a failed attempt stays, and the delete is tried again.
    let data =
        doc! { "failCommands": ["commitTransaction"], "errorCode": 112, "errorLabels": ["TransientTransactionError"] };
    let failure = fail_command(&db, doc! { "times": 1 }, data).await;
    assert_eq!(newest.fetch(&db).await.unwrap().unwrap().id, 3);
    failure.clear().await;
    assert_eq!(Host::get_by_id(&db, 1).await.unwrap().messages, 2);
    assert_eq!(left(&db, "logmsg").await, [1, 2]);
}

#[tokio::test]
async fn the_opposite_ends_and_the_subtree_follow() {
    use links::{Person, Task, assert_agree};
    use trees::Category;

    let db = database().await;
    Person::insert(&db, &links::person(1)).await.unwrap();
    for id in 1..=3 {
        Task::insert(&db, &Task { owner: Some(Ref::new(1)), ..links::task(id) }).await.unwrap();
    }
    let deleted = Task::find_one_and_delete(Filter::all()).sort(Task::F.id.desc()).fetch(&db).await.unwrap();
    assert_eq!(deleted.unwrap().id, 3);
    assert_eq!(Person::get_by_id(&db, 1).await.unwrap().tasks.len(), 2);
    assert_agree(&db).await;

    for (id, parent) in [(1, None), (2, Some(1)), (3, Some(2)), (4, None)] {
        Category::insert(&db, &Category::new(id, parent)).await.unwrap();
    }
    let deleted = Category::find_one_and_delete(Filter::all()).sort(Category::F.id.asc()).fetch(&db).await.unwrap();
    assert_eq!(deleted.unwrap().id, 1);
    assert_eq!(left(&db, "categories").await, [4]);
}

#[tokio::test]
async fn delete_rules_hold() {
    use delete_rules::{Host, Message, Owner, assert_no_orphans, host, message, owner};

    let db = database().await;
    Host::insert_many(&db, (1..=3).map(host)).await.unwrap();
    Message::insert_many(&db, (1..=3).map(|id| message(id, id))).await.unwrap();
    Owner::insert(&db, &owner(1, 3)).await.unwrap();
    let first = || Host::find_one_and_delete(Filter::all()).sort(Host::F.id.desc());
    // The restricted document is the first of the order: the delete takes no other document instead.
    assert!(matches!(first().fetch(&db).await, Err(Error::DeleteRestricted { .. })));
    assert_eq!(left(&db, "hosts").await, [1, 2, 3]);
    Owner::delete_by_id(&db, 1).await.unwrap();
    assert_eq!(first().fetch(&db).await.unwrap(), Some(host(3)));
    assert_eq!(left(&db, "messages").await, [1, 2]);
    assert_no_orphans(&db).await;

    // In a transaction, the second delete does not find the document that the first delete has taken.
    let taken = schema_runtime::transaction(&db, |tx| async move {
        Ok::<_, Error>([first().fetch(&tx).await?, first().fetch(&tx).await?, first().fetch(&tx).await?])
    });
    assert_eq!(taken.await.unwrap(), [Some(host(2)), Some(host(1)), None]);
    assert!(left(&db, "hosts").await.is_empty() && left(&db, "messages").await.is_empty());
    assert_no_orphans(&db).await;
}

/// An update with a sort reads the same document that the update changes.
#[tokio::test]
async fn an_update_of_the_first_child_changes_the_parent() {
    use rollups::{Host, LogMsg};

    let db = database().await;
    Host::insert(&db, &rollups::host(1)).await.unwrap();
    LogMsg::insert_many(&db, (1..=3).map(|id| rollups::message(id, 1))).await.unwrap();
    let newest = || LogMsg::find_one_and_update(LogMsg::F.host.eq(1)).sort(LogMsg::F.time.desc());
    let before = newest().set(LogMsg::F.bytes, 100).fetch_before(&db).await.unwrap().unwrap();
    assert_eq!((before.id, Host::get_by_id(&db, 1).await.unwrap().greatest), (3, Some(100)));
    let after = newest().set(LogMsg::F.bytes, 200).fetch_after(&db).await.unwrap().unwrap();
    assert_eq!((after.id, Host::get_by_id(&db, 1).await.unwrap().greatest), (3, Some(200)));
}
