//! Inserts, updates and deletes of single children.

use mongodb::bson::doc;
use schema_runtime::{Error, prelude::*, schema, transaction};
use schema_tests::{
    buckets::{Comment, Panel, Post, Reading, comment, raw},
    database, database_with_log,
};

async fn plan(db: &Database) {
    schema![Post, Comment, Panel, Reading].plan(db).await.unwrap().apply(db).await.unwrap();
}

async fn start() -> Database {
    let db = database().await;
    plan(&db).await;
    db
}

fn pages(all: &raw::Pages, post: i64) -> Vec<Vec<i64>> {
    all.get(&post.to_string()).cloned().unwrap_or_default()
}

#[tokio::test]
async fn children_fill_one_bucket_after_the_other() {
    let db = start().await;
    for id in 1..=9 {
        Comment::insert(&db, &comment(id, 7, id)).await.unwrap();
    }
    Comment::insert(&db, &comment(100, 8, 3)).await.unwrap();
    let all = raw::checked(&db, 4).await;
    assert_eq!(pages(&all, 7), [vec![1, 2, 3, 4], vec![5, 6, 7, 8], vec![9]]);
    assert_eq!(pages(&all, 8), [[100]]);
    assert_eq!(Comment::get_by_id(&db, 6).await.unwrap(), comment(6, 7, 6));
    assert_eq!(Comment::find_by_id(&db, 60).await.unwrap(), None);
}

/// An insert into a page that this process knows is a single update. For a full page, a further update marks the page
/// as followed, once.
#[tokio::test]
async fn an_insert_is_an_update_where_the_page_is_known() {
    let (db, log) = database_with_log().await;
    plan(&db).await;
    let insert = async |id: i64, time: i64| {
        log.clear();
        Comment::insert(&db, &comment(id, 7, time)).await.unwrap();
        log.commands().into_iter().map(|(name, _)| name).collect::<Vec<String>>()
    };
    assert_eq!(insert(1, 10).await, ["find", "update"]);
    assert_eq!(insert(2, 20).await, ["update"]);
    assert_eq!(insert(3, 15).await, ["find", "update"], "it comes late");
    assert_eq!(insert(4, 30).await, ["update"]);
    assert_eq!(insert(5, 40).await, ["find", "update", "update"], "the full page says that it is followed");
    assert_eq!(insert(6, 50).await, ["update"]);
    assert_eq!(raw::checked(&db, 4).await["7"], [vec![1, 3, 2, 4], vec![5, 6]]);
    let followed = raw::buckets(&db).await.iter().map(|bucket| bucket.contains_key("followed")).collect::<Vec<_>>();
    assert_eq!(followed, [true, false]);
}

/// The knowledge of a page is out of date: concurrent writes have filled the page, begun the next page, and made a
/// place in the first page.
#[tokio::test]
async fn a_page_that_another_follows_gets_no_more() {
    let (db, log) = database_with_log().await;
    plan(&db).await;
    Comment::insert(&db, &comment(1, 7, 10)).await.unwrap();
    // The client does not remember the writes of a transaction.
    transaction(&db, |tx| async move {
        Comment::insert_many(&tx, (2..=5).map(|id| comment(id, 7, id * 10))).await?;
        Comment::delete_by_id(&tx, 2).await.map(drop)
    })
    .await
    .unwrap();
    log.clear();
    Comment::insert(&db, &comment(6, 7, 60)).await.unwrap();
    let names: Vec<String> = log.commands().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["update", "find", "update"], "the first has found no page");
    assert_eq!(raw::checked(&db, 4).await["7"], [vec![1, 3, 4], vec![5, 6]]);
    // A child that is stored in another bucket is a duplicate in this bucket too.
    let again = Comment::insert(&db, &comment(1, 7, 70)).await;
    assert!(matches!(again, Err(Error::DuplicateKey { .. })), "{again:?}");
    // All children are gone, with the knowledge of the pages.
    db.collection::<mongodb::bson::Document>("comments").delete_many(doc! {}).await.unwrap();
    Comment::insert(&db, &comment(8, 7, 80)).await.unwrap();
    assert_eq!(raw::checked(&db, 4).await["7"], [[8]]);
}

/// A child that arrives in order is appended, and the stored children stay unchanged: the server neither sorts nor logs
/// the stored children.
#[tokio::test]
async fn what_arrives_in_order_is_not_sorted() {
    let (db, log) = database_with_log().await;
    plan(&db).await;
    for (time, is_sorted) in [(10, true), (20, false), (15, true), (20, true), (30, true)] {
        log.clear();
        Comment::insert(&db, &comment(time * 10 + i64::from(is_sorted), 7, time)).await.unwrap();
        let updates = log.named("update");
        let update = updates[0].get_array("updates").unwrap()[0].as_document().unwrap();
        let push = update.get_document("u").unwrap().get_document("$push").unwrap().get_document("items").unwrap();
        assert_eq!(push.contains_key("$sort"), is_sorted, "{time}");
        assert_eq!(update.get_document("q").unwrap().contains_key("last"), !is_sorted, "{time}");
    }
    log.clear();
    let many = [(1, 40), (2, 50), (3, 45)].map(|(id, time)| comment(id, 7, time));
    Comment::insert_many(&db, &many[..2]).await.unwrap();
    Comment::insert_many(&db, &many[2..]).await.unwrap();
    let sorted: Vec<bool> = log.named("update").iter().map(|update| update.to_string().contains("$sort")).collect();
    assert_eq!(sorted, [false, true]);
    assert_eq!(raw::checked(&db, 4).await["7"].concat().len(), 8);
}

#[tokio::test]
async fn late_children_are_sorted_within_their_page() {
    let db = start().await;
    for (id, time) in [(1, 50), (2, 10), (3, 10), (4, 20), (5, 1)] {
        Comment::insert(&db, &comment(id, 7, time)).await.unwrap();
    }
    assert_eq!(pages(&raw::checked(&db, 4).await, 7), [vec![2, 3, 4, 1], vec![5]]);
}

#[tokio::test]
async fn many_are_pushed_by_capacity_and_by_parent() {
    let (db, log) = database_with_log().await;
    plan(&db).await;
    Comment::insert(&db, &comment(1, 7, 1)).await.unwrap();
    log.clear();
    let many: Vec<Comment> = (2..=12).map(|id| comment(id, 7 + id % 2, id)).collect();
    Comment::insert_many(&db, &many).await.unwrap();
    assert_eq!(log.named("update").len(), 4, "two for each post");
    let all = raw::checked(&db, 4).await;
    assert_eq!(pages(&all, 7), [vec![1, 2, 4, 6], vec![8, 10, 12]]);
    assert_eq!(pages(&all, 8), [vec![3, 5, 7, 9], vec![11]]);
}

#[tokio::test]
async fn a_child_that_is_there_is_a_duplicate() {
    let db = start().await;
    let many: Vec<Comment> = (1..=6).map(|id| comment(id, 7, id)).collect();
    Comment::insert_many(&db, &many).await.unwrap();
    for (post, id) in [(7, 2), (7, 6), (8, 1)] {
        let error = Comment::insert(&db, &comment(id, post, 9)).await.unwrap_err();
        assert!(matches!(&error, Error::DuplicateKey { index, .. } if index == "items._id_1"), "{error}");
    }
    // The chunk with the duplicate is refused as a whole; the children of another parent before the chunk stay.
    let more = [comment(20, 9, 1), comment(21, 7, 1), comment(5, 7, 1), comment(22, 7, 1)];
    let error = Comment::insert_many(&db, &more).await.unwrap_err();
    assert!(
        matches!(
            &error,
            Error::InsertMany { inserted: 1, index: Some(1), .. }
                | Error::InsertMany { inserted: 1, index: Some(2), .. }
        ),
        "{error:?}"
    );
    let all = raw::checked(&db, 4).await;
    assert_eq!(
        (pages(&all, 7), pages(&all, 8), pages(&all, 9)),
        (vec![vec![1, 2, 3, 4], vec![5, 6]], vec![], vec![vec![20]])
    );
}

#[tokio::test]
async fn a_child_is_updated_in_its_place() {
    let db = start().await;
    let many: Vec<Comment> = (1..=6).map(|id| comment(id, 7, id)).collect();
    Comment::insert_many(&db, &many).await.unwrap();
    let changed = Comment::update_by_id(3)
        .set(Comment::F.author, "Ann")
        .inc(Comment::F.likes, 2)
        .push(Comment::F.tags, "a")
        .execute(&db)
        .await;
    assert!(changed.unwrap());
    assert!(!Comment::update_by_id(3).set(Comment::F.author, "Ann").execute(&db).await.unwrap(), "as it was");
    let expected = Comment { author: "Ann".to_owned(), likes: 2, tags: vec!["a".to_owned()], ..comment(3, 7, 3) };
    assert_eq!(Comment::get_by_id(&db, 3).await.unwrap(), expected);
    for id in [1, 2, 4, 5, 6] {
        assert_eq!(Comment::get_by_id(&db, id).await.unwrap(), comment(id, 7, id));
    }
    let error = Comment::update_by_id(30).set(Comment::F.author, "Ann").execute(&db).await.unwrap_err();
    assert!(matches!(error, Error::NotFound { .. }), "{error}");
    raw::checked(&db, 4).await;
}

#[tokio::test]
async fn the_bounds_of_a_child_hold_in_its_bucket() {
    let db = start().await;
    let full = Comment { tags: vec!["t".to_owned(); 5], ..comment(1, 7, 1) };
    Comment::insert_many(&db, [full, comment(2, 7, 2)]).await.unwrap();
    let push = |id: i64| Comment::update_by_id(id).push(Comment::F.tags, "more");
    let error = push(1).execute(&db).await.unwrap_err();
    assert!(matches!(error, Error::BoundExceeded { bound: 5, size: 6, .. }), "{error}");
    push(2).execute(&db).await.unwrap();
    assert_eq!(Comment::get_by_id(&db, 1).await.unwrap().tags.len(), 5);
    let long = Comment { tags: vec!["t".to_owned(); 6], ..comment(3, 7, 1) };
    let error = Comment::insert(&db, &long).await.unwrap_err();
    assert!(matches!(error, Error::BoundExceeded { .. }), "{error}");
}

#[tokio::test]
async fn a_deleted_child_leaves_capacity() {
    let db = start().await;
    let many: Vec<Comment> = (1..=5).map(|id| comment(id, 7, id)).collect();
    Comment::insert_many(&db, &many).await.unwrap();
    assert!(Comment::delete_by_id(&db, 2).await.unwrap());
    assert!(!Comment::delete_by_id(&db, 2).await.unwrap());
    assert!(Comment::delete(&db, &comment(5, 7, 5)).await.unwrap());
    let all = raw::checked(&db, 4).await;
    assert_eq!(pages(&all, 7), [vec![1, 3, 4], vec![]]);
    // The last page with children has capacity.
    Comment::insert(&db, &comment(6, 7, 6)).await.unwrap();
    Comment::insert(&db, &comment(7, 7, 7)).await.unwrap();
    assert_eq!(pages(&raw::checked(&db, 4).await, 7), [vec![1, 3, 4, 6], vec![7]]);
}

#[tokio::test]
async fn in_a_transaction_all_or_nothing() {
    let db = start().await;
    Comment::insert(&db, &comment(1, 7, 1)).await.unwrap();
    transaction(&db, |tx| async move {
        Comment::insert_many(&tx, (2..=6).map(|id| comment(id, 7, id))).await?;
        assert!(Comment::delete_by_id(&tx, 1).await?);
        Comment::insert(&tx, &comment(1, 8, 5)).await?;
        Comment::update_by_id(6).set(Comment::F.likes, 3).execute(&tx).await.map(drop)
    })
    .await
    .unwrap();
    let all = raw::checked(&db, 4).await;
    assert_eq!((pages(&all, 7), pages(&all, 8)), (vec![vec![2, 3, 4], vec![5, 6]], vec![vec![1]]));
    let error = transaction(&db, |tx| async move {
        Comment::insert(&tx, &comment(9, 7, 9)).await?;
        Comment::insert(&tx, &comment(3, 7, 9)).await
    })
    .await
    .unwrap_err();
    assert!(matches!(error, Error::DuplicateKey { .. }), "{error}");
    assert_eq!(raw::checked(&db, 4).await, all);
}

#[tokio::test]
async fn each_day_has_its_own_chain() {
    let db = start().await;
    let day = 24 * 60 * 60 * 1000;
    let reading = |time: i64| Reading {
        id: ObjectId::new(),
        panel: Ref::new("roof"),
        time: DateTime::from_millis(time),
        watt_hours: 1.5,
    };
    let times = [-1, 0, 1, day - 1, 5, day, 6, -day];
    for time in times {
        Reading::insert(&db, &reading(time)).await.unwrap();
    }
    let mut cursor = db
        .collection::<mongodb::bson::Document>("readings")
        .find(doc! {})
        .sort(doc! { "day": 1, "page": 1 })
        .await
        .unwrap();
    let mut found = Vec::new();
    while cursor.advance().await.unwrap() {
        let bucket = cursor.deserialize_current().unwrap();
        let times: Vec<i64> = bucket
            .get_array("items")
            .unwrap()
            .iter()
            .map(|item| item.as_document().unwrap().get_datetime("time").unwrap().timestamp_millis())
            .collect();
        found.push((bucket.get_datetime("day").unwrap().timestamp_millis(), raw::number(&bucket, "page"), times));
    }
    assert_eq!(
        found,
        [(-day, 1, vec![-day, -1]), (0, 1, vec![0, 1, day - 1]), (0, 2, vec![5, 6]), (day, 1, vec![day])]
    );
}
