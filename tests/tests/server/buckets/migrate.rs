//! Documents of their own move into buckets, and back.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use mongodb::bson::{Bson, Document, doc};
use schema_runtime::{BucketError, Throttle, prelude::*, schema};
use schema_tests::{
    Fault, Proxy,
    buckets::{
        Comment, LinkedComment, LinkedReading, Panel, Post, Reading, comment,
        raw::{self, number},
    },
    database, database_with_log, end_transactions, fail_command,
};

async fn plan(db: &Database) {
    let schema = schema![Post, Comment, LinkedComment, Panel, Reading, LinkedReading];
    schema.plan(db).await.unwrap().apply(db).await.unwrap();
}

/// Inserts `comments` comments, spread over `posts` posts, the newest first.
async fn linked(db: &Database, comments: i64, posts: i64) {
    let all: Vec<LinkedComment> = (1..=comments).rev().map(|id| comment(id, id % posts, id).into()).collect();
    LinkedComment::insert_many(db, &all).await.unwrap();
}

/// Checks that the children of a post are in order, and in full pages.
fn in_order(pages: &[Vec<i64>], comments: i64, posts: i64, post: i64) {
    let expected: Vec<i64> = (1..=comments).filter(|id| id % posts == post).collect();
    assert_eq!(pages.concat(), expected);
    assert!(pages.iter().rev().skip(1).all(|page| page.len() == 4), "{pages:?}");
}

async fn all_in_order(db: &Database, comments: i64, posts: i64) {
    let all = raw::checked(db, 4).await;
    assert_eq!(LinkedComment::find(Filter::all()).count(db).await.unwrap(), 0);
    for post in 0..posts {
        in_order(&all[&post.to_string()], comments, posts, post);
    }
}

async fn into(db: &Database, chunk: u32) -> Result<u64> {
    Comment::into_buckets::<LinkedComment>(db, &Throttle::new().chunk(chunk)).await
}

async fn back(db: &Database, chunk: u32) -> Result<u64> {
    Comment::into_documents::<LinkedComment>(db, &Throttle::new().chunk(chunk)).await
}

/// Returns all documents, in the order of `_id`.
async fn all_linked(db: &Database) -> Vec<LinkedComment> {
    LinkedComment::find(Filter::all()).sort(LinkedComment::F.id.asc()).fetch_all(db).await.unwrap()
}

#[tokio::test]
async fn into_buckets_and_back() {
    for chunk in [1, 3, 7, 5_000] {
        let db = database().await;
        plan(&db).await;
        linked(&db, 45, 3).await;
        let before = all_linked(&db).await;
        assert_eq!(into(&db, chunk).await.unwrap(), 45);
        all_in_order(&db, 45, 3).await;
        assert_eq!(Comment::get_by_id(&db, 5).await.unwrap(), comment(5, 2, 5));
        assert_eq!(into(&db, chunk).await.unwrap(), 0);
        assert_eq!(back(&db, chunk).await.unwrap(), 45);
        assert_eq!(all_linked(&db).await, before);
        let names = db.list_collection_names().await.unwrap();
        assert!(!names.contains(&"comments".to_owned()), "{names:?}");
        assert_eq!(back(&db, chunk).await.unwrap(), 0);
    }
}

#[tokio::test]
async fn each_day_gets_its_children() {
    let db = database().await;
    plan(&db).await;
    let hour = 60 * 60 * 1_000;
    let panel = |at: i64| Ref::new(if at % 2 == 0 { "roof" } else { "wall" });
    let reading = |at: i64| LinkedReading {
        id: ObjectId::new(),
        panel: panel(at),
        time: DateTime::from_millis(at * hour),
        watt_hours: at as f64,
    };
    let all: Vec<LinkedReading> = (0..72).map(reading).collect();
    LinkedReading::insert_many(&db, &all).await.unwrap();
    let throttle = Throttle::new().chunk(50);
    assert_eq!(Reading::into_buckets::<LinkedReading>(&db, &throttle).await.unwrap(), 72);
    let mut found = db.collection::<Document>("readings").find(doc! {}).await.unwrap();
    let mut buckets = 0;
    while found.advance().await.unwrap() {
        let bucket = found.deserialize_current().unwrap();
        let day = bucket.get_datetime("day").unwrap().timestamp_millis();
        for item in bucket.get_array("items").unwrap().iter().filter_map(Bson::as_document) {
            let time = item.get_datetime("time").unwrap().timestamp_millis();
            assert!(day <= time && time < day + 24 * hour);
        }
        assert_eq!(number(&bucket, "count"), 3);
        buckets += 1;
    }
    assert_eq!(buckets, 24);
    assert_eq!(Reading::into_documents::<LinkedReading>(&db, &throttle).await.unwrap(), 72);
    let found = LinkedReading::find(Filter::all()).sort(LinkedReading::F.time.asc()).fetch_all(&db).await.unwrap();
    assert_eq!(found, all);
}

#[tokio::test]
async fn fields_that_no_struct_knows_stay() {
    let db = database().await;
    plan(&db).await;
    linked(&db, 3, 1).await;
    let documents = db.collection::<Document>("linked_comments");
    documents.update_many(doc! {}, doc! { "$set": { "other": { "a": [1, 2_i64, 3.5] } } }).await.unwrap();
    into(&db, 10).await.unwrap();
    let bucket = &raw::buckets(&db).await[0];
    let item = bucket.get_array("items").unwrap()[0].as_document().unwrap();
    assert_eq!(item.get_document("other").unwrap(), &doc! { "a": [1, 2_i64, 3.5] });
    back(&db, 10).await.unwrap();
    assert_eq!(documents.count_documents(doc! { "other": { "a": [1, 2_i64, 3.5] } }).await.unwrap(), 3);
}

#[tokio::test]
async fn children_follow_those_that_are_in_buckets() {
    let db = database().await;
    plan(&db).await;
    Comment::insert_many(&db, (1..=6).map(|id| comment(id, 0, id))).await.unwrap();
    let more: Vec<LinkedComment> = (7..=13).map(|id| comment(id, 0, id).into()).collect();
    LinkedComment::insert_many(&db, &more).await.unwrap();
    // More posts, with a single page or none.
    let others: Vec<LinkedComment> = (20..=30).map(|id| comment(id, id, id).into()).collect();
    LinkedComment::insert_many(&db, &others).await.unwrap();
    Comment::insert(&db, &comment(15, 25, 1)).await.unwrap();
    assert_eq!(into(&db, 1_000).await.unwrap(), 18);
    let all = raw::checked(&db, 4).await;
    in_order(&all["0"], 13, 1, 0);
    assert_eq!((&all["25"], &all["26"]), (&vec![vec![15, 25]], &vec![vec![26]]));
}

/// A step with many chains is a single transaction: reads, an `update`, a `delete`.
#[tokio::test]
async fn many_chains_are_one_transaction() {
    let (db, log) = database_with_log().await;
    plan(&db).await;
    linked(&db, 300, 150).await;
    log.clear();
    assert_eq!(into(&db, 5_000).await.unwrap(), 300);
    let names: Vec<String> = log.commands().into_iter().map(|(name, _)| name).collect();
    let step = ["find", "find", "update", "delete", "commitTransaction"];
    let nothing = ["find", "commitTransaction"];
    // From the last parent on, and once more from the first.
    let without_commit_of_reads: Vec<&str> = names.iter().map(String::as_str).collect();
    assert_eq!(without_commit_of_reads, [&step[..], &nothing, &nothing].concat());
    assert_eq!(log.named("update")[0].get_array("updates").unwrap().len(), 150);
    all_in_order(&db, 300, 150).await;
}

#[tokio::test]
async fn what_is_read_is_in_the_order_of_an_index() {
    let (db, log) = database_with_log().await;
    plan(&db).await;
    linked(&db, 30, 3).await;
    log.clear();
    into(&db, 10).await.unwrap();
    let finds = log.named("find");
    let of =
        |name: &str| finds.iter().filter(|find| find.get_str("find").ok() == Some(name)).cloned().collect::<Vec<_>>();
    let linked = of("linked_comments");
    assert!(linked.len() >= 4, "{linked:?}");
    for mut find in linked.into_iter().chain(of("comments")) {
        for name in ["lsid", "txnNumber", "$db", "$clusterTime", "autocommit", "startTransaction", "readConcern"] {
            find.remove(name);
        }
        let plan = db.run_command(doc! { "explain": find }).await.unwrap().to_string();
        assert!(plan.contains("IXSCAN") && !plan.contains("\"SORT\"") && !plan.contains("COLLSCAN"), "{plan}");
    }
}

#[tokio::test]
async fn progress_is_of_all_that_were_there() {
    let db = database().await;
    plan(&db).await;
    linked(&db, 25, 2).await;
    for is_back in [false, true] {
        let (done, calls) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
        let (last, count) = (Arc::clone(&done), Arc::clone(&calls));
        let throttle = Throttle::new().chunk(10).progress(move |progress| {
            assert_eq!(progress.total, Some(25));
            last.store(progress.done, Ordering::Relaxed);
            count.fetch_add(1, Ordering::Relaxed);
        });
        match is_back {
            false => Comment::into_buckets::<LinkedComment>(&db, &throttle).await.unwrap(),
            true => Comment::into_documents::<LinkedComment>(&db, &throttle).await.unwrap(),
        };
        assert_eq!(done.load(Ordering::Relaxed), 25);
        assert!(calls.load(Ordering::Relaxed) >= 3);
    }
}

/// Writes a document that the validator would refuse.
async fn raw_insert(db: &Database, document: Document) {
    let collection = "linked_comments";
    let command = doc! { "insert": collection, "documents": [document], "bypassDocumentValidation": true };
    db.run_command(command).await.unwrap();
}

#[tokio::test]
async fn a_document_that_buckets_refuse_is_named() {
    for wrong in [
        doc! { "_id": 18_i64, "post": 0_i64, "author": 3, "created_on": DateTime::from_millis(18), "tags": [], "likes": 0 },
        doc! { "_id": 18_i64, "post": 0_i64, "author": "a", "tags": [], "likes": 0 },
    ] {
        let db = database().await;
        plan(&db).await;
        linked(&db, 30, 1).await;
        db.collection::<Document>("linked_comments").delete_one(doc! { "_id": 18_i64 }).await.unwrap();
        raw_insert(&db, wrong).await;
        let error = into(&db, 5_000).await.unwrap_err();
        let Error::Bucket(BucketError::NotMoved { collection: "comments", id, .. }) = &error else { panic!("{error}") };
        assert_eq!(**id, Bson::Int64(18));
        let (buckets, left) = (raw::checked(&db, 4).await, all_ids(&db).await);
        let moved = buckets.get("0").cloned().unwrap_or_default().concat();
        let both: Vec<i64> = moved.iter().chain(&left).copied().collect();
        assert_eq!(both.len(), 30, "each is in one place: {moved:?} {left:?}");
        assert!(left.contains(&18));
        db.collection::<Document>("linked_comments").delete_one(doc! { "_id": 18_i64 }).await.unwrap();
        into(&db, 5_000).await.unwrap();
        let expected: Vec<i64> = (1..=30).filter(|id| *id != 18).collect();
        assert_eq!(raw::checked(&db, 4).await["0"].concat(), expected);
    }
}

async fn all_ids(db: &Database) -> Vec<i64> {
    let mut found = db.collection::<Document>("linked_comments").find(doc! {}).await.unwrap();
    let mut ids = Vec::new();
    while found.advance().await.unwrap() {
        ids.push(number(&found.deserialize_current().unwrap(), "_id"));
    }
    ids.sort_unstable();
    ids
}

#[tokio::test]
async fn a_child_that_is_in_both_is_named() {
    let db = database().await;
    plan(&db).await;
    linked(&db, 10, 1).await;
    Comment::insert(&db, &comment(7, 5, 1)).await.unwrap();
    let error = into(&db, 5_000).await.unwrap_err();
    let Error::Bucket(BucketError::NotMoved { id, source, .. }) = &error else { panic!("{error}") };
    assert!(matches!(**source, Error::DuplicateKey { .. }), "{source}");
    assert_eq!(**id, Bson::Int64(7));
    // The way back reports the error too.
    let error = back(&db, 5_000).await.unwrap_err();
    let Error::Bucket(BucketError::NotMoved { collection: "linked_comments", id, .. }) = &error else {
        panic!("{error}")
    };
    assert_eq!(**id, Bson::Int64(7));
    assert_eq!(Comment::get_by_id(&db, 7).await.unwrap().post, Ref::new(5));
}

/// Checks that each child is in exactly one place, whichever command failed.
async fn in_one_place(db: &Database, comments: i64) {
    let mut all: Vec<i64> = raw::checked(db, 4).await.into_values().flatten().flatten().collect();
    all.extend(all_ids(db).await);
    all.sort_unstable();
    assert_eq!(all, (1..=comments).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_failure_at_any_command_leaves_each_child_in_one_place() {
    let db = database().await;
    plan(&db).await;
    linked(&db, 60, 3).await;
    for command in ["find", "update", "delete", "commitTransaction", "insert", "drop"] {
        for skip in 0..4 {
            let failing = doc! { "failCommands": [command], "errorCode": 8 };
            let failure = fail_command(&db, doc! { "skip": skip }, failing.clone()).await;
            let result = into(&db, 7).await;
            failure.clear().await;
            end_transactions(&db).await;
            in_one_place(&db, 60).await;
            into(&db, 7).await.unwrap_or_else(|error| panic!("{command} {skip} {result:?} {error}"));
            all_in_order(&db, 60, 3).await;
            let failure = fail_command(&db, doc! { "skip": skip }, failing).await;
            let result = back(&db, 7).await;
            failure.clear().await;
            end_transactions(&db).await;
            in_one_place(&db, 60).await;
            back(&db, 7).await.unwrap_or_else(|error| panic!("{command} {skip} {result:?} {error}"));
            assert_eq!(all_ids(&db).await.len(), 60);
            plan(&db).await;
        }
    }
}

/// A client stops for ever at a command, and another client goes on.
#[tokio::test]
async fn another_goes_on_where_one_has_stopped() {
    for at in [3, 9, 14, 17] {
        let db = database().await;
        plan(&db).await;
        linked(&db, 60, 3).await;
        let proxy = Proxy::start([(at, Fault::Close)]).await;
        let through = proxy.database(db.name()).await;
        let _ = into(&through, 7).await;
        in_one_place(&db, 60).await;
        into(&db, 7).await.unwrap();
        all_in_order(&db, 60, 3).await;
    }
}

#[tokio::test]
async fn two_at_once() {
    let db = database().await;
    plan(&db).await;
    linked(&db, 200, 3).await;
    let (one, other) = tokio::join!(into(&db, 7), into(&db, 11));
    assert_eq!(one.unwrap() + other.unwrap(), 200);
    all_in_order(&db, 200, 3).await;
    let (one, other) = tokio::join!(back(&db, 7), back(&db, 11));
    assert_eq!(one.unwrap() + other.unwrap(), 200);
    assert_eq!(all_ids(&db).await.len(), 200);
}

/// A concurrent writer looks in both collections, first in the collection that the children leave, and gets right
/// answers.
#[tokio::test]
async fn writers_beside_it_find_each_child() {
    let db = database().await;
    plan(&db).await;
    linked(&db, 300, 2).await;
    for is_back in [false, true] {
        let writer = async |mine: i64| {
            for id in (1..=300).filter(|id| id % 10 == mine) {
                let linked = async || {
                    LinkedComment::update_by_id(id).inc(LinkedComment::F.likes, 1).execute(&db).await.map(drop)
                };
                let bucket = async || Comment::update_by_id(id).inc(Comment::F.likes, 1).execute(&db).await.map(drop);
                let first = if is_back { bucket().await } else { linked().await };
                match first {
                    Err(Error::NotFound { .. }) if is_back => linked().await.unwrap(),
                    Err(Error::NotFound { .. }) => bucket().await.unwrap(),
                    first => first.unwrap(),
                }
            }
        };
        let moving = async || if is_back { back(&db, 7).await } else { into(&db, 7).await };
        let (moved, ..) = tokio::join!(moving(), writer(1), writer(2), writer(3), writer(4));
        assert_eq!(moved.unwrap(), 300);
        in_one_place(&db, 300).await;
        if !is_back {
            for id in 1..=300 {
                let likes = Comment::get_by_id(&db, id).await.unwrap().likes;
                assert_eq!(likes, i32::from((1..=4).contains(&(id % 10))), "{id}");
            }
        }
    }
    for found in all_linked(&db).await {
        assert_eq!(found.likes, 2 * i32::from((1..=4).contains(&(found.id % 10))), "{}", found.id);
    }
}
