//! Buckets that were written past this crate and its validator: the findings of `verify`, and the effects of `repair`
//! and `compact`.

use mongodb::{
    Database,
    bson::{Bson, DateTime, Document, doc},
};
use schema_runtime::{MaintenanceEntry, MaintenanceKind, Schema, Throttle, prelude::*, schema, verify::Finding};
use schema_tests::{
    Fault, Proxy,
    buckets::{Comment, Panel, Post, Reading, comment, raw},
    database, fail_command,
};

fn all() -> Schema {
    schema![Post, Comment, Panel, Reading]
}

/// Writes three full buckets of a post, and a bucket of another post.
async fn start() -> Database {
    let db = database().await;
    all().plan(&db).await.unwrap().apply(&db).await.unwrap();
    let of = |post: i64| (0..12).map(move |at| comment(post * 100 + at, post, at * 10));
    Comment::insert_many(&db, of(1).chain(of(2).take(3))).await.unwrap();
    db
}

/// Changes a bucket in a way that no validator allows.
async fn write(db: &Database, post: i64, page: i64, update: impl Into<Bson>) {
    let update = doc! { "update": "comments", "bypassDocumentValidation": true, "updates": [
        { "q": { "post": post, "page": page }, "u": update.into() },
    ] };
    let written = db.run_command(update).await.unwrap();
    assert_eq!((written.get_i32("nModified").ok(), written.get("writeErrors")), (Some(1), None));
}

/// Returns the broken buckets of the comments.
async fn broken(db: &Database) -> Vec<MaintenanceEntry> {
    let report = all().verify(db).await.unwrap();
    report.derived().filter(|entry| entry.model == "Comment").cloned().collect()
}

fn count(entries: &[MaintenanceEntry], kind: MaintenanceKind) -> u64 {
    entries.iter().filter(|entry| entry.kind == kind).map(|entry| entry.found).sum()
}

/// Returns the number of buckets among the examples.
fn examples(entries: &[MaintenanceEntry]) -> usize {
    let mut ids: Vec<&Bson> = Vec::new();
    for example in entries.iter().flat_map(|entry| &entry.examples) {
        if !ids.contains(&&example.id) {
            ids.push(&example.id);
        }
    }
    ids.len()
}

/// Returns the numbers of wrong buckets, ambiguous buckets, buckets behind a gap, and examples.
async fn found(db: &Database) -> (u64, u64, u64, usize) {
    let broken = broken(db).await;
    let [wrong, ambiguous, gaps] =
        [MaintenanceKind::WrongBucket, MaintenanceKind::AmbiguousBucket, MaintenanceKind::BucketGap]
            .map(|kind| count(&broken, kind));
    (wrong, ambiguous, gaps, examples(&broken))
}

/// Returns the number of written buckets, and the number of refused buckets.
async fn repair(db: &Database) -> (u64, u64) {
    let repaired = all().repair(db, &Throttle::new()).await.unwrap();
    repaired.entries().iter().fold((0, 0), |(written, refused), one| (written + one.written, refused + one.refused))
}

/// Returns a write of each kind that makes a bucket wrong.
fn wrongs() -> Vec<(&'static str, Document)> {
    let late = DateTime::from_millis(55);
    vec![
        ("a number that is too high", doc! { "$inc": { "count": 1 } }),
        ("a number that is too low", doc! { "$inc": { "count": -1 } }),
        ("a number of another type", doc! { "$set": { "count": "4" } }),
        ("no number", doc! { "$unset": { "count": "" } }),
        ("one child less", doc! { "$pop": { "items": 1 } }),
        ("an order that is another", doc! { "$push": { "items": { "$each": [], "$sort": { "_id": -1 } } } }),
        ("a first that is too late", doc! { "$set": { "first": late } }),
        ("a last that is too early", doc! { "$set": { "last": late } }),
        ("no bounds", doc! { "$unset": { "first": "", "last": "" } }),
        ("a time that is outside of them", doc! { "$set": { "items.2.created_on": DateTime::from_millis(1) } }),
        ("an empty one that says it has children", doc! { "$set": { "items": [] } }),
    ]
}

#[tokio::test]
async fn each_kind_is_found_and_repaired() {
    for (what, update) in wrongs() {
        let db = start().await;
        assert_eq!(found(&db).await, (0, 0, 0, 0));
        write(&db, 1, 2, update).await;
        assert_eq!(found(&db).await, (1, 0, 0, 1), "{what}");
        assert_eq!(repair(&db).await, (1, 0), "{what}");
        assert_eq!((found(&db).await, repair(&db).await), ((0, 0, 0, 0), (0, 0)), "{what}");
        raw::checked(&db, 4).await;
        Comment::insert(&db, &comment(500, 1, 55)).await.unwrap();
        db.drop().await.unwrap();
    }
}

#[tokio::test]
async fn bounds_that_are_wider_than_need_be_are_no_finding() {
    let db = start().await;
    Comment::delete_by_id(&db, 104).await.unwrap();
    let bounds = doc! { "first": DateTime::from_millis(-5), "last": DateTime::from_millis(1_000) };
    write(&db, 1, 2, doc! { "$set": bounds }).await;
    for id in [108, 109, 110, 111] {
        Comment::delete_by_id(&db, id).await.unwrap();
    }
    assert_eq!((found(&db).await, repair(&db).await), ((0, 0, 0, 0), (0, 0)));
}

/// The buckets of another program, which knows nothing of `followed`.
#[tokio::test]
async fn a_page_that_does_not_say_that_another_follows_it_is_found_and_written() {
    let db = start().await;
    let comments = db.collection::<Document>("comments");
    comments.update_many(doc! {}, doc! { "$unset": { "followed": "" } }).await.unwrap();
    let unfollowed = broken(&db).await;
    assert_eq!(count(&unfollowed, MaintenanceKind::WrongBucket), 0);
    assert_eq!((count(&unfollowed, MaintenanceKind::UnfollowedBucket), examples(&unfollowed)), (2, 2));
    // No insert goes to an empty page that another page follows.
    for id in 104..108 {
        Comment::delete_by_id(&db, id).await.unwrap();
    }
    let unfollowed = broken(&db).await;
    assert_eq!((count(&unfollowed, MaintenanceKind::UnfollowedBucket), examples(&unfollowed)), (1, 1));
    let said = unfollowed[0].to_string();
    assert!(said.starts_with("Comment: 1 bucket without the record of a later bucket\n"), "{said}");
    assert_eq!(repair(&db).await, (1, 0));
    assert_eq!((broken(&db).await, repair(&db).await), (Vec::new(), (0, 0)));
    let followed = comments.find_one(doc! { "post": 1, "page": 1 }).await.unwrap().unwrap();
    assert_eq!(followed.get_bool("followed").ok(), Some(true));
    raw::checked(&db, 4).await;
}

/// Verify reads a page as the last page, a writer fills the page and begins the next page, and verify reads the next
/// page: nothing is wrong.
#[tokio::test]
async fn a_page_that_is_followed_meanwhile_is_no_finding() {
    // As many pages as the first reply holds; the last page has capacity.
    const PAGES: i64 = 101;
    let verified = |faults: Vec<(usize, Fault)>| async move {
        let (db, proxy) = (start().await, Proxy::start(faults.clone()).await);
        let of = (0..PAGES * 4 - 1).map(|at| comment(10_000 + at, 0, at));
        Comment::insert_many(&db, of).await.unwrap();
        let watched = proxy.database(db.name()).await;
        let writes = async {
            for at in PAGES * 4..PAGES * 4 + 3 {
                Comment::insert(&db, &comment(10_000 + at, 0, at)).await.unwrap();
            }
        };
        let held = async {
            if !faults.is_empty() {
                proxy.reached().await;
                writes.await;
                proxy.release();
            }
        };
        let (broken, ()) = tokio::join!(broken(&watched), held);
        assert_eq!(broken, []);
        raw::checked(&db, 4).await;
        proxy.names()
    };
    let names = verified(Vec::new()).await;
    let replies: Vec<usize> = (0..names.len()).filter(|at| names[*at] == "getMore").collect();
    assert!(!replies.is_empty(), "{names:?}");
    for at in replies {
        verified(vec![(at, Fault::Hold)]).await;
    }
}

#[tokio::test]
async fn compact_closes_gaps() {
    let db = start().await;
    db.collection::<Document>("comments").delete_one(doc! { "post": 1, "page": 1 }).await.unwrap();
    assert_eq!((found(&db).await, repair(&db).await), ((0, 0, 1, 1), (0, 0)));
    let report = all().verify(&db).await.unwrap().to_string();
    assert!(report.contains("1 gap before a bucket (`compact` closes the gap)"), "{report}");
    Comment::compact(&db, 1).await.unwrap();
    assert_eq!(found(&db).await, (0, 0, 0, 0));
    raw::checked(&db, 4).await;
    // After the last children, a missing page is no gap.
    Comment::insert(&db, &comment(900, 1, 900)).await.unwrap();
    Comment::delete_by_id(&db, 900).await.unwrap();
    db.collection::<Document>("comments")
        .update_one(doc! { "post": 1, "page": 3 }, doc! { "$set": { "page": 5 } })
        .await
        .unwrap();
    assert_eq!(found(&db).await, (0, 0, 0, 0));
    Comment::insert(&db, &comment(901, 1, 901)).await.unwrap();
    assert_eq!(Comment::find(Comment::F.post.eq(Ref::new(1))).count(&db).await.unwrap(), 9);
}

#[tokio::test]
async fn what_is_right_of_two_is_not_decided() {
    let db = start().await;
    db.collection::<Document>("comments").drop_indexes().await.unwrap();
    let twice =
        doc! { "$set": { "items": { "$concatArrays": [{ "$slice": ["$items", 2] }, { "$slice": ["$items", 2] }] } } };
    write(&db, 1, 1, vec![twice]).await;
    write(&db, 1, 3, doc! { "$set": { "page": 2_i64 } }).await;
    write(&db, 2, 1, doc! { "$set": { "items": "none" } }).await;
    let (_, ambiguous, gaps, examples) = found(&db).await;
    assert_eq!((ambiguous, gaps, examples), (3, 0, 3));
    let before = raw::buckets(&db).await;
    repair(&db).await;
    let after = raw::buckets(&db).await;
    let ids = |buckets: &[Document]| -> Vec<usize> {
        buckets.iter().map(|bucket| bucket.get_array("items").map_or(0, Vec::len)).collect()
    };
    assert_eq!(ids(&before), ids(&after), "no child is gone");
    assert_eq!(found(&db).await, (0, 3, 0, 3));
}

#[tokio::test]
async fn a_bucket_that_the_validator_refuses_is_named_and_the_rest_is_written() {
    let db = start().await;
    let more = doc! { "$push": { "items": { "_id": 900_i64, "author": "a", "created_on": DateTime::from_millis(41), "tags": [], "likes": 0 } } };
    write(&db, 1, 1, more).await;
    write(&db, 1, 3, doc! { "$inc": { "count": 1 } }).await;
    let repaired = all().repair(&db, &Throttle::new()).await.unwrap();
    let [buckets] = repaired.entries() else { panic!("{repaired}") };
    assert_eq!((buckets.found, buckets.written, buckets.refused, buckets.examples.len()), (2, 1, 1, 1));
    let said = "Comment: 2 buckets that contradict the children, 1 document written, but for 1 document";
    assert!(repaired.to_string().contains(said), "{repaired}");
    assert_eq!(found(&db).await, (1, 0, 0, 1));
}

#[tokio::test]
async fn each_day_is_a_chain_of_its_own() {
    let db = start().await;
    Panel::insert(&db, &Panel { id: "roof".to_owned() }).await.unwrap();
    let reading = |day: i64, at: i64| Reading {
        id: ObjectId::new(),
        panel: Ref::new("roof".to_owned()),
        time: DateTime::from_millis(day * 86_400_000 + at),
        watt_hours: 1.0,
    };
    Reading::insert_many(&db, (0..3).flat_map(|day| (0..5).map(move |at| reading(day, at)))).await.unwrap();
    assert!(schema![Panel, Reading].verify(&db).await.unwrap().is_clean());
    let readings = db.collection::<Document>("readings");
    readings.delete_one(doc! { "page": 1, "day": DateTime::from_millis(86_400_000) }).await.unwrap();
    let report = schema![Panel, Reading].verify(&db).await.unwrap();
    let [Finding::Derived(gap)] = report.findings() else { panic!("{report}") };
    assert_eq!((gap.model, gap.kind, gap.found), ("Reading", MaintenanceKind::BucketGap, 1));
}

/// A stopped repair has written some buckets, or none; the next repair writes the rest.
#[tokio::test]
async fn a_failure_at_any_command_leaves_nothing_half_written() {
    let db = start().await;
    for command in ["find", "update"] {
        for skip in 0..4 {
            for page in 1..=3 {
                write(&db, 1, page, doc! { "$inc": { "count": 1 } }).await;
            }
            let failure =
                fail_command(&db, doc! { "skip": skip }, doc! { "failCommands": [command], "errorCode": 8 }).await;
            let stopped = all().repair(&db, &Throttle::new()).await;
            failure.clear().await;
            let (left, ..) = found(&db).await;
            assert!(stopped.is_err() || left == 0, "{command} {skip}: {left} left of a repair that was done");
            let (written, refused) = repair(&db).await;
            assert_eq!((written, refused), (left, 0), "{command} {skip}");
            raw::checked(&db, 4).await;
        }
    }
}

/// A broken bucket refuses writers. After the repair, each write is done.
#[tokio::test]
async fn beside_writers_no_child_is_lost() {
    let db = start().await;
    for round in 0..10 {
        write(&db, 2, 1, doc! { "$inc": { "count": -1 } }).await;
        let writers = (0..4_i64).map(|writer| {
            let db = db.clone();
            async move {
                let child = comment(1_000 + round * 10 + writer, 2, 7);
                while let Err(error) = Comment::insert(&db, &child).await {
                    assert!(matches!(error, Error::DocumentInvalid { .. }), "{error}");
                }
                Comment::delete_by_id(&db, child.id).await.unwrap()
            }
        });
        let (_, deleted) = tokio::join!(repair(&db), futures_util::future::join_all(writers));
        repair(&db).await;
        assert!(deleted.into_iter().all(|deleted| deleted));
        raw::checked(&db, 4).await;
    }
    assert_eq!(Comment::find(Filter::all()).count(&db).await.unwrap(), 15);
}
