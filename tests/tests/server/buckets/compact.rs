//! Children of later pages fill the pages before, and empty pages at the end are deleted.

use mongodb::bson::{DateTime as Time, Document, doc};
use schema_runtime::{bucket::Compacted, prelude::*, schema, transaction};
use schema_tests::{
    buckets::{
        Comment, Panel, Post, Reading, comment,
        raw::{self, number},
    },
    database, database_with_log, end_transactions, fail_command,
};

async fn plan(db: &Database) {
    schema![Post, Comment, Panel, Reading].plan(db).await.unwrap().apply(db).await.unwrap();
}

/// Inserts comments 1, 2, 3 .. on post 7.
async fn filled(db: &Database, comments: i64) {
    Comment::insert_many(db, (1..=comments).map(|id| comment(id, 7, id))).await.unwrap();
}

async fn without(db: &Database, ids: impl IntoIterator<Item = i64>) {
    for id in ids {
        assert!(Comment::delete_by_id(db, id).await.unwrap());
    }
}

async fn pages(db: &Database) -> Vec<Vec<i64>> {
    raw::checked(db, 4).await.remove("7").unwrap_or_default()
}

fn said(report: Compacted) -> (u64, u64, u64) {
    (report.moved, report.marked, report.trimmed)
}

/// Sets the time of the marks of empty pages back by an hour.
async fn an_hour_later(db: &Database) {
    let back = doc! { "$subtract": ["$emptied", 60 * 60 * 1_000] };
    let marked = doc! { "emptied": { "$type": "date" } };
    for collection in ["comments", "readings"] {
        let buckets = db.collection::<Document>(collection);
        buckets.update_many(marked.clone(), vec![doc! { "$set": { "emptied": back.clone() } }]).await.unwrap();
    }
}

#[tokio::test]
async fn later_children_fill_earlier_pages() {
    let db = database().await;
    plan(&db).await;
    filled(&db, 14).await;
    let other: Vec<Comment> = (100..110).map(|id| comment(id, 8, id)).collect();
    Comment::insert_many(&db, &other).await.unwrap();
    without(&db, [1, 2, 6, 7, 8, 9, 10, 100]).await;
    assert_eq!(pages(&db).await, [vec![3, 4], vec![5], vec![11, 12], vec![13, 14]]);
    let post = Post { id: 7, title: String::new() };
    let report = Comment::compact(&db, &post).await.unwrap();
    assert_eq!(pages(&db).await, [vec![3, 4, 5, 11], vec![12, 13, 14], vec![], vec![]]);
    // The moved children: 5, 11; 12; 13 and 14.
    assert_eq!(said(report), (5, 2, 0));
    assert_eq!(report.to_string(), "5 children moved, 2 empty buckets marked, 0 deleted");
    assert_eq!(raw::checked(&db, 4).await["8"], [vec![101, 102, 103], vec![104, 105, 106, 107], vec![108, 109]]);
    assert_eq!(said(Comment::compact(&db, &post).await.unwrap()), (0, 0, 0), "nothing is left to do");
    for id in [3, 4, 5, 11, 12, 13, 14] {
        assert_eq!(Comment::get_by_id(&db, id).await.unwrap(), comment(id, 7, id));
    }
}

#[tokio::test]
async fn empty_pages_at_the_end_go_an_hour_later() {
    let db = database().await;
    plan(&db).await;
    filled(&db, 14).await;
    without(&db, 4..=14).await;
    assert_eq!(said(Comment::compact(&db, 7).await.unwrap()), (0, 3, 0));
    an_hour_later(&db).await;
    // A push removes the mark: the page is emptied again, and is deleted only an hour after that.
    Comment::insert_many(&db, (20..=22).map(|id| comment(id, 7, id))).await.unwrap();
    assert_eq!(pages(&db).await, [vec![1, 2, 3, 20], vec![21, 22], vec![], vec![]]);
    without(&db, [21, 22]).await;
    assert_eq!(said(Comment::compact(&db, 7).await.unwrap()), (0, 1, 2));
    assert_eq!(pages(&db).await, [vec![1, 2, 3, 20], vec![]]);
    an_hour_later(&db).await;
    without(&db, [1, 2, 3, 20]).await;
    // The first page was emptied just now.
    assert_eq!(said(Comment::compact(&db, 7).await.unwrap()), (0, 1, 1));
    an_hour_later(&db).await;
    assert_eq!(said(Comment::compact(&db, 7).await.unwrap()), (0, 0, 1));
    assert_eq!(raw::buckets(&db).await, []);
    filled(&db, 2).await;
    assert_eq!(pages(&db).await, [[1, 2]]);
}

#[tokio::test]
async fn the_time_of_a_mark_is_that_of_the_server() {
    let db = database().await;
    plan(&db).await;
    filled(&db, 1).await;
    without(&db, [1]).await;
    let now = async || {
        let said = db.run_command(doc! { "hello": 1 }).await.unwrap();
        said.get_datetime("localTime").unwrap().timestamp_millis()
    };
    let before = now().await;
    Comment::compact(&db, 7).await.unwrap();
    let after = now().await;
    let marked = raw::buckets(&db).await[0].get_datetime("emptied").unwrap().timestamp_millis();
    assert!((before..=after).contains(&marked));
    // A page is deleted after a full hour, not before.
    let at = |millis: i64| doc! { "$set": { "emptied": Time::from_millis(millis) } };
    let comments = db.collection::<Document>("comments");
    comments.update_one(doc! {}, at(now().await - 59 * 60 * 1_000)).await.unwrap();
    assert_eq!(said(Comment::compact(&db, 7).await.unwrap()), (0, 0, 0));
    comments.update_one(doc! {}, at(now().await - 60 * 60 * 1_000)).await.unwrap();
    assert_eq!(said(Comment::compact(&db, 7).await.unwrap()), (0, 0, 1));
}

#[tokio::test]
async fn it_closes_a_gap() {
    let db = database().await;
    plan(&db).await;
    filled(&db, 12).await;
    let comments = db.collection::<Document>("comments");
    comments.delete_one(doc! { "page": 2 }).await.unwrap();
    comments.delete_one(doc! { "page": 1 }).await.unwrap();
    let report = Comment::compact(&db, 7).await.unwrap();
    assert_eq!(said(report), (4, 1, 0));
    assert!(raw::buckets(&db).await.iter().all(|bucket| bucket.get_i32("count").is_ok()), "a count has one type");
    // The third page is left, and is empty; the next insert makes a second page, or the third page is deleted an hour
    // later.
    let buckets = raw::buckets(&db).await;
    assert_eq!(
        buckets.iter().map(|one| (number(one, "page"), number(one, "count"))).collect::<Vec<_>>(),
        [(1, 4), (3, 0)]
    );
    // The page has the bounds of its children.
    assert_eq!(["first", "last"].map(|name| buckets[0].get_datetime(name).unwrap().timestamp_millis()), [9, 12]);
    an_hour_later(&db).await;
    assert_eq!(said(Comment::compact(&db, 7).await.unwrap()), (0, 0, 1));
    assert_eq!(pages(&db).await, [[9, 10, 11, 12]]);
}

#[tokio::test]
async fn late_children_keep_their_place() {
    let db = database().await;
    plan(&db).await;
    for (id, time) in [(1, 10), (2, 20), (3, 30), (4, 40), (5, 50), (6, 1), (7, 60)] {
        Comment::insert(&db, &comment(id, 7, time)).await.unwrap();
    }
    without(&db, [2, 3]).await;
    Comment::compact(&db, 7).await.unwrap();
    // The first page takes the first two children of the second page, in the order of the second page, and each page is
    // sorted.
    assert_eq!(pages(&db).await, [vec![6, 1, 4, 5], vec![7]]);
}

#[tokio::test]
async fn a_pour_is_a_transaction_that_reads_what_it_moves() {
    let (db, log) = database_with_log().await;
    plan(&db).await;
    filled(&db, 8).await;
    without(&db, [1]).await;
    log.clear();
    Comment::compact(&db, 7).await.unwrap();
    let names: Vec<String> = log.commands().into_iter().map(|(name, _)| name).collect();
    let pour = ["find", "find", "update", "update", "commitTransaction"];
    // The commands: a search for the pair, the pour, a search for a further pair from the first page to the end (the
    // whole chain), and a search for the last page.
    assert_eq!(names, [&["find"], &pour[..], &["find", "find"]].concat());
    let of_items = |find: &&Document| find.get_document("projection").unwrap().contains_key("items");
    let finds = log.named("find");
    let items: Vec<&Document> = finds.iter().filter(of_items).collect();
    assert_eq!(items.len(), 1);
    assert_eq!(items[0].get_document("projection").unwrap(), &doc! { "_id": 0, "items": { "$slice": 1 } });
    for command in &log.named("update") {
        assert_eq!(number(command, "txnNumber"), number(&log.named("commitTransaction")[0], "txnNumber"));
    }
}

#[tokio::test]
async fn a_failure_at_any_command_leaves_all_children() {
    let db = database().await;
    plan(&db).await;
    for (number, command) in ["find", "update", "commitTransaction", "delete"].into_iter().enumerate() {
        for skip in 0..3 {
            db.collection::<Document>("comments").delete_many(doc! {}).await.unwrap();
            filled(&db, 10).await;
            without(&db, [1, 2, 3, 4, 9]).await;
            Comment::compact(&db, 7).await.unwrap();
            an_hour_later(&db).await;
            without(&db, [5, 6]).await;
            filled_from(&db, 20).await;
            without(&db, [20, 21]).await;
            let failing = doc! { "failCommands": [command], "errorCode": 8 };
            let failure = fail_command(&db, doc! { "skip": skip }, failing).await;
            let result = Comment::compact(&db, 7).await;
            failure.clear().await;
            end_transactions(&db).await;
            let all: Vec<i64> = pages(&db).await.concat();
            assert_eq!(all, [7, 8, 10, 22, 23, 24], "{number} {skip} {result:?}");
            Comment::compact(&db, 7).await.unwrap();
            assert_eq!(pages(&db).await[0], [7, 8, 10, 22]);
        }
    }
}

async fn filled_from(db: &Database, first: i64) {
    Comment::insert_many(db, (first..first + 5).map(|id| comment(id, 7, id))).await.unwrap();
}

#[tokio::test]
async fn in_a_transaction_it_is_refused() {
    let db = database().await;
    plan(&db).await;
    let error = transaction(&db, |_| async { Comment::compact(&db, 7).await.map(drop) }).await.unwrap_err();
    assert!(matches!(error, Error::OutsideTransaction), "{error}");
}

#[tokio::test]
async fn each_day_is_by_itself() {
    let db = database().await;
    plan(&db).await;
    let day = 24 * 60 * 60 * 1_000;
    let mut ids = Vec::new();
    for at in 0..15 {
        let id = ObjectId::new();
        let time = DateTime::from_millis(at / 5 * day + at % 5);
        Reading::insert(&db, &Reading { id, panel: Ref::new("roof"), time, watt_hours: 1.5 }).await.unwrap();
        ids.push(id);
    }
    for at in [0, 1, 5, 6, 10, 11] {
        assert!(Reading::delete_by_id(&db, ids[at]).await.unwrap());
    }
    let counts = async || {
        let mut found =
            db.collection::<Document>("readings").find(doc! {}).sort(doc! { "day": 1, "page": 1 }).await.unwrap();
        let mut counts = Vec::new();
        while found.advance().await.unwrap() {
            counts.push(number(&found.deserialize_current().unwrap(), "count"));
        }
        counts
    };
    assert_eq!(counts().await, [1, 2, 1, 2, 1, 2]);
    let report = Reading::compact_at(&db, "roof", DateTime::from_millis(day + 77)).await.unwrap();
    assert_eq!((counts().await, said(report)), (vec![1, 2, 3, 0, 1, 2], (2, 1, 0)));
    assert_eq!(said(Reading::compact(&db, "cellar").await.unwrap()), (0, 0, 0));
    an_hour_later(&db).await;
    let report = Reading::compact(&db, "roof").await.unwrap();
    assert_eq!((counts().await, said(report)), (vec![3, 0, 3, 3, 0], (4, 2, 1)));
}

#[tokio::test]
async fn a_wrong_count_is_said() {
    let db = database().await;
    plan(&db).await;
    filled(&db, 8).await;
    without(&db, [1]).await;
    let wrong = doc! { "update": "comments", "bypassDocumentValidation": true, "updates": [
        { "q": { "page": 2 }, "u": { "$set": { "items": [] } } },
    ] };
    db.run_command(wrong).await.unwrap();
    let error = Comment::compact(&db, 7).await.unwrap_err();
    assert!(error.to_string().contains("`count` of a bucket of `comments` is wrong"), "{error}");
}
