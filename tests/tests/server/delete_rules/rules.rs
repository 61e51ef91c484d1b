//! Each rule, on each path of a delete.

use futures_util::TryStreamExt;
use schema_runtime::{Error, prelude::*, transaction};
use schema_tests::{Fault, Proxy, database, database_with_log};

use schema_tests::delete_rules::{
    Group, Host, Message, Note, Owner, assert_no_orphans, count, group, host, message, note, owner, the_schema,
};

/// Inserts two hosts, each with two messages, a note and a group.
async fn two_hosts(db: &Database) {
    Host::insert_many(db, [host(1), host(2)]).await.unwrap();
    Message::insert_many(db, (0..4).map(|id| message(id, id % 2 + 1))).await.unwrap();
    Note::insert_many(db, [note(1, 1), note(2, 2)]).await.unwrap();
    Group::insert_many(db, [group(1, &[1, 2]), group(2, &[2])]).await.unwrap();
}

#[tokio::test]
async fn cascade_nullify_and_pull_go_in_one_transaction_with_the_delete() {
    let (db, log) = database_with_log().await;
    two_hosts(&db).await;
    log.clear();
    assert!(Host::delete_by_id(&db, 1).await.unwrap());
    assert_eq!(log.named("commitTransaction").len(), 1);
    assert_eq!((count(&db, "hosts").await, count(&db, "messages").await), (1, 2));
    assert_eq!(Note::get_by_id(&db, 1).await.unwrap().host, None);
    assert_eq!(Group::get_by_id(&db, 1).await.unwrap().hosts, [Ref::new(2_i64)]);
    assert_no_orphans(&db).await;
    assert!(!Host::delete_by_id(&db, 1).await.unwrap());
}

#[tokio::test]
async fn restrict_refuses_and_writes_nothing() {
    let (db, log) = database_with_log().await;
    two_hosts(&db).await;
    Owner::insert(&db, &owner(7, 1)).await.unwrap();
    log.clear();
    let kept = Host::delete_by_id(&db, 1).await.unwrap_err();
    assert!(
        matches!(&kept, Error::DeleteRestricted { relation, by } if relation == "Owner.host" && by.as_i64() == Some(7)),
        "{kept:?}"
    );
    assert_eq!(
        kept.to_string(),
        "the document is not deleted: `Owner.host` refers to the document and has `on_delete = restrict`"
    );
    assert!(log.commands().iter().all(|(name, _)| name == "find"), "{:?}", log.commands());
    let kept = Host::delete_many(&db, Filter::all()).await.unwrap_err();
    assert!(matches!(kept, Error::DeleteRestricted { .. }), "{kept:?}");
    assert_eq!((count(&db, "hosts").await, count(&db, "messages").await), (2, 4));
    assert!(Owner::delete_by_id(&db, 7).await.unwrap());
    assert_eq!(Host::delete_many(&db, Filter::all()).await.unwrap(), 2);
    assert_eq!((count(&db, "hosts").await, count(&db, "messages").await), (0, 0));
    assert_no_orphans(&db).await;
}

#[tokio::test]
async fn in_a_bulk_and_in_a_transaction() {
    let db = database().await;
    two_hosts(&db).await;
    Owner::insert(&db, &owner(7, 1)).await.unwrap();
    let bulk = Host::bulk().insert(&host(3)).delete_by_id(1).delete_by_id(2).unordered();
    let report = bulk.execute(&db).await.unwrap();
    let failed: Vec<usize> = report.failures().map(|(at, _)| at).collect();
    assert_eq!((failed, report.counts.deleted), (vec![1], 1));
    assert_no_orphans(&db).await;
    let kept = transaction(&db, |tx| async move { Host::delete_by_id(&tx, 1).await }).await.unwrap_err();
    assert!(matches!(kept, Error::DeleteRestricted { .. }), "{kept:?}");
    assert_no_orphans(&db).await;
    transaction(&db, |tx| async move {
        Owner::delete_by_id(&tx, 7).await?;
        Message::insert(&tx, &message(70, 1)).await?;
        assert!(Host::delete_by_id(&tx, 1).await?);
        Ok::<_, Error>(())
    })
    .await
    .unwrap();
    assert_eq!((Host::find_by_id(&db, 1).await.unwrap(), count(&db, "messages").await), (None, 0));
    assert_no_orphans(&db).await;
}

/// Another client removes the mark at the commit of the transaction: the delete marks the document again, unless an
/// owner was inserted.
#[tokio::test]
async fn a_mark_that_is_lost_behind_a_commit() {
    for is_kept in [false, true] {
        let db = database().await;
        two_hosts(&db).await;
        let proxy = Proxy::start([(4, Fault::Hold)]).await;
        let slow = proxy.database(db.name()).await;
        let delete =
            tokio::spawn(async move { transaction(&slow, |tx| async move { Host::delete_by_id(&tx, 1).await }).await });
        proxy.reached().await;
        assert_eq!(proxy.names()[..4], ["find", "find", "update", "commitTransaction"]);
        if is_kept {
            db.collection::<Document>("owners").insert_one(doc! { "_id": 7_i64, "host": 1_i64 }).await.unwrap();
        }
        let unmarked = doc! { "$unset": { "_deleting": "" } };
        db.collection::<Document>("hosts").update_one(doc! { "_id": 1_i64 }, unmarked).await.unwrap();
        proxy.release();
        match delete.await.unwrap() {
            Ok(deleted) => assert!(deleted && !is_kept),
            Err(error) => assert!(is_kept && matches!(error, Error::DeleteRestricted { .. }), "{error:?}"),
        }
        assert_eq!(Host::find_by_id(&db, 1).await.unwrap().is_some(), is_kept);
        assert_no_orphans(&db).await;
    }
}

/// A transaction with a refused write does not commit, also when the callback ignores the error.
#[tokio::test]
async fn what_was_refused_in_a_transaction_is_not_committed() {
    let db = database().await;
    two_hosts(&db).await;
    let late = transaction(&db, |tx| async move {
        assert!(Host::delete_by_id(&tx, 1).await?);
        let late = Message::insert(&tx, &message(71, 1)).await;
        assert!(matches!(late, Err(Error::DanglingReference { .. })), "{late:?}");
        Ok(())
    });
    let late = late.await.unwrap_err();
    assert!(matches!(late, Error::DanglingReference { .. }), "{late:?}");
    assert_eq!((count(&db, "hosts").await, count(&db, "messages").await), (2, 4));
    assert_no_orphans(&db).await;
}

#[tokio::test]
async fn orphans_are_found_where_another_program_has_deleted() {
    let db = database().await;
    the_schema().plan(&db).await.unwrap().apply(&db).await.unwrap();
    two_hosts(&db).await;
    db.collection::<Document>("hosts").delete_one(doc! { "_id": 1 }).await.unwrap();
    let mut messages: Vec<Message> = Message::HOST.orphans(&db).await.unwrap().try_collect().await.unwrap();
    messages.sort_by_key(|message| message.id);
    assert_eq!(messages, [message(0, 1), message(2, 1)]);
    let groups: Vec<Group> = Group::HOSTS.orphans(&db).await.unwrap().try_collect().await.unwrap();
    assert_eq!(groups, [group(1, &[1, 2])]);
    let notes: Vec<Note> = Note::HOST.orphans(&db).await.unwrap().try_collect().await.unwrap();
    assert_eq!(notes, [note(1, 1)]);
    assert_eq!(Owner::HOST.orphans(&db).await.unwrap().try_collect::<Vec<_>>().await.unwrap(), []);
}

use mongodb::bson::{Document, doc};

/// A delete of children also deletes the children of the children, and updates the values that the remaining parents
/// keep.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "sites")]
#[inverse(pages = Page::site, on_delete = cascade, allow(delete_rule, reason = "they are of no use without it"))]
struct Site {
    #[serde(rename = "_id")]
    id: i64,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "pages")]
#[inverse(comments = Comment::page, on_delete = cascade, allow(delete_rule, reason = "they are of no use without it"))]
struct Page {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    site: Ref<Site>,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "comments")]
struct Comment {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    page: Ref<Page>,
    #[relation(one_to_squillions, parent_ref)]
    writer: Ref<Writer>,
    #[relation(many_to_many, two_way, max = 5, inverse = comments)]
    tags: Vec<Ref<Tag>>,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "writers")]
struct Writer {
    #[serde(rename = "_id")]
    id: i64,
    #[computed(count(Comment::writer))]
    comments: i64,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "tags")]
struct Tag {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(many_to_many, two_way, of = Comment::tags, max = 100)]
    comments: Vec<Ref<Comment>>,
}

#[tokio::test]
async fn children_take_what_is_theirs_with_them() {
    let db = database().await;
    Site::insert_many(&db, [Site { id: 1 }, Site { id: 2 }]).await.unwrap();
    Page::insert_many(&db, (0..4).map(|id| Page { id, site: Ref::new(id % 2 + 1) })).await.unwrap();
    Writer::insert_many(&db, [Writer { id: 1, comments: 0 }, Writer { id: 2, comments: 0 }]).await.unwrap();
    Tag::insert_many(&db, [Tag { id: 1, comments: Vec::new() }]).await.unwrap();
    let comment =
        |id: i64| Comment { id, page: Ref::new(id % 4), writer: Ref::new(id % 2 + 1), tags: vec![Ref::new(1_i64)] };
    Comment::insert_many(&db, (0..40).map(comment)).await.unwrap();
    Comment::insert(&db, &comment(41)).await.unwrap();
    assert_eq!(Writer::get_by_id(&db, 1).await.unwrap().comments, 20);
    assert_eq!(Tag::get_by_id(&db, 1).await.unwrap().comments.len(), 41);
    // The delete takes the pages 0 and 2, with the comments of the even pages.
    assert!(Site::delete_by_id(&db, 1).await.unwrap());
    assert_eq!((count(&db, "pages").await, count(&db, "comments").await), (2, 21));
    assert_eq!(Writer::get_by_id(&db, 1).await.unwrap().comments, 0);
    assert_eq!(Writer::get_by_id(&db, 2).await.unwrap().comments, 21);
    assert_eq!(Tag::get_by_id(&db, 1).await.unwrap().comments.len(), 21);
}
