//! Rare meetings: cascades that stop between two levels, documents of another program, pending moves.

use std::time::Duration;

use mongodb::bson::{Document, doc};
use schema_runtime::{Error, Throttle, TreeError, prelude::*, schema};
use schema_tests::{
    Fault, Proxy, database,
    trees::{Comment, Reply, by_graph_lookup, prepare, wrong_in},
};

/// Fails when the work takes longer than a minute: a failure would take for ever.
async fn soon<T>(work: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(60), work).await.expect("it does not end")
}

/// 1 is deleted, and 2 and 3 under 1 are not deleted yet. 4 under 2 moves below 7, and 6 under 3 moves below 5, each
/// with a thousand descendants.
#[tokio::test]
async fn two_large_moves_between_the_levels_of_a_cascade() {
    let db = database().await;
    let schema = schema![Reply];
    schema.plan(&db).await.unwrap().apply(&db).await.unwrap();
    let first = [(1, None), (2, Some(1)), (3, Some(1)), (4, Some(2)), (5, Some(4)), (6, Some(3)), (7, Some(6))];
    let below = (100..2_300).map(|id| (id, Some(if id % 2 == 0 { 4 } else { 6 })));
    Reply::insert_many(&db, first.into_iter().chain(below).map(Reply::of)).await.unwrap();
    let counting = Proxy::start([]).await;
    Reply::move_under(&counting.database(db.name()).await, 4, 7).await.unwrap();
    let at_commit = counting.first_commit();
    Reply::move_under(&db, 4, 2).await.unwrap();
    let counting = Proxy::start([]).await;
    let names = async {
        let through = counting.database(db.name()).await;
        Reply::insert_many(&through, [(10, None), (11, Some(10))].map(Reply::of)).await.unwrap();
        let inserted = counting.names().len();
        Reply::delete_by_id(&through, 10).await.unwrap();
        counting.names()[inserted..].to_vec()
    };
    let commit = names.await.iter().position(|name| name == "commitTransaction").unwrap();
    let proxy = Proxy::start([(commit, Fault::StopAfter)]).await;
    let through = proxy.database(db.name()).await;
    tokio::select! {
        deleted = Reply::delete_by_id(&through, 1) => panic!("it does not stop: {deleted:?}"),
        () = proxy.reached() => {}
    }
    let replies = db.collection::<Document>("replies");
    assert_eq!(replies.count_documents(doc! { "_id": { "$in": [1, 2, 3] } }).await.unwrap(), 2, "between two levels");
    // The first move is held at its commit, while the second move begins.
    let proxy = Proxy::start([(at_commit, Fault::Hold)]).await;
    let through = proxy.database(db.name()).await;
    let one = tokio::spawn(async move { Reply::move_under(&through, 4, 7).await });
    let other = db.clone();
    let reached = tokio::time::timeout(Duration::from_secs(20), proxy.reached()).await;
    reached.expect("the move has fewer commands");
    let other = tokio::spawn(async move { Reply::move_under(&other, 6, 5).await });
    tokio::time::sleep(Duration::from_millis(500)).await;
    proxy.release();
    let (one, other) = soon(async { (one.await.unwrap(), other.await.unwrap()) }).await;
    let is_cycle = |moved: &Result<()>| matches!(moved, Err(Error::Tree(TreeError::Cycle { .. })));
    assert!(is_cycle(&one) != is_cycle(&other), "one of the two is refused: {one:?}, {other:?}");
    assert_eq!(by_graph_lookup(&db, "replies").await, [""; 0]);
    schema.recover(&db, &Throttle::default()).await.unwrap();
    assert_eq!(wrong_in(&db, "replies").await, [""; 0]);
}

/// Writes 1, and 2 under 1 with 1,040 children and 5 under one of the children; 3 is a second root. 2 is moved below 3,
/// and no descendant is written yet.
async fn left_pending(db: &Database) {
    let all = [(1, None), (2, Some(1)), (3, None)].into_iter().chain((10..1_050).map(|id| (id, Some(2))));
    Comment::insert_many(db, all.chain([(5, Some(10))]).map(|(id, parent)| Comment::new(id, parent))).await.unwrap();
    let proxy = Proxy::start([]).await;
    Comment::move_under(&proxy.database(db.name()).await, 2, 3).await.unwrap();
    let commit = proxy.first_commit();
    Comment::move_under(db, 2, 1).await.unwrap();
    let proxy = Proxy::start([(commit, Fault::StopAfter)]).await;
    let through = proxy.database(db.name()).await;
    tokio::select! {
        moved = Comment::move_under(&through, 2, 3) => panic!("it does not stop: {moved:?}"),
        () = proxy.reached() => {}
    }
}

/// A part of the descendants may be written in any order.
#[tokio::test]
async fn a_child_that_is_written_before_its_parent() {
    let db = database().await;
    prepare(&db).await;
    left_pending(&db).await;
    let comments = db.collection::<Document>("comments");
    let of = |id: i64| format!("{:016x}:", id.cast_unsigned() ^ (1 << 63));
    let path = format!("{}{}{}", of(3), of(2), of(10));
    comments.update_one(doc! { "_id": 5 }, doc! { "$set": { "p": path } }).await.unwrap();
    let report = schema![Comment].verify(&db).await.unwrap();
    assert!(report.to_string().starts_with("nothing found except pending work\n"), "{report}");
    schema![Comment].recover(&db, &Throttle::default()).await.unwrap();
    assert_eq!(wrong_in(&db, "comments").await, [""; 0]);
}

/// A moved document with a delete mark: the parent of another model does not count the document any more, and the
/// document still exists.
#[tokio::test]
async fn a_pending_move_of_one_that_is_gone() {
    let db = database().await;
    prepare(&db).await;
    left_pending(&db).await;
    let comments = db.collection::<Document>("comments");
    comments.update_one(doc! { "_id": 2 }, doc! { "$set": { "_gone": [] } }).await.unwrap();
    soon(Comment::move_under(&db, 11, 1)).await.unwrap();
    comments.update_one(doc! { "_id": 2 }, doc! { "$unset": { "_gone": "" } }).await.unwrap();
    assert_eq!(wrong_in(&db, "comments").await, [""; 0]);
}

#[tokio::test]
async fn children_of_one_whose_parent_is_not_there() {
    let db = database().await;
    prepare(&db).await;
    Comment::insert_many(&db, (1..=3).map(|id| Comment::new(id, (id > 1).then(|| id - 1)))).await.unwrap();
    let comments = db.collection::<Document>("comments");
    comments.delete_one(doc! { "_id": 1 }).await.unwrap();
    let promoted = soon(Comment::promote_children(&db, 2)).await;
    assert!(matches!(promoted, Err(Error::NotFound { .. })), "{promoted:?}");
    let inserted = Comment::insert(&db, &Comment::new(1, Some(3))).await;
    assert!(matches!(inserted, Err(Error::Tree(TreeError::Cycle { .. }))), "its path has it already: {inserted:?}");
}

/// Another client has written the new path of 2, and not the new parent.
#[tokio::test]
async fn one_that_has_its_new_path_already() {
    let db = database().await;
    prepare(&db).await;
    let all = [(1, None), (2, Some(1)), (3, None)].into_iter().chain((10..1_050).map(|id| (id, Some(2))));
    Comment::insert_many(&db, all.map(|(id, parent)| Comment::new(id, parent))).await.unwrap();
    let comments = db.collection::<Document>("comments");
    let path = format!("{:016x}:", 3_u64 | 1 << 63);
    let below = format!("{path}{:016x}:", 2_u64 | 1 << 63);
    comments.update_one(doc! { "_id": 2 }, doc! { "$set": { "p": path } }).await.unwrap();
    comments.update_many(doc! { "parent": 2_i64 }, doc! { "$set": { "p": below } }).await.unwrap();
    soon(Comment::move_under(&db, 2, 3)).await.unwrap();
    assert_eq!(wrong_in(&db, "comments").await, [""; 0]);
}
