//! Concurrent inserts into a tree share transactions, and each insert has its own outcome.

use futures_util::future::join_all;
use schema_runtime::{Error, finish_writes, prelude::*};
use schema_tests::{
    database_with_log,
    trees::{Comment, prepare, wrong_in},
};

#[tokio::test]
async fn many_inserts_are_few_transactions() {
    let (db, log) = database_with_log().await;
    prepare(&db).await;
    Comment::insert_many(&db, [Comment::new(1, None), Comment::new(2, Some(1))]).await.unwrap();
    finish_writes(&db).await;
    log.clear();
    // The comments 20 and 21 have no parent 99.
    let comment = |id: i64| Comment::new(id, Some(if matches!(id, 20 | 21) { 99 } else { 1 + id % 2 }));
    let insert = async |id: i64| Comment::insert(&db, &comment(id)).await;
    let outcomes = join_all((10..110).map(insert)).await;
    for (id, outcome) in (10..).zip(outcomes) {
        match (id, outcome) {
            (20 | 21, Err(Error::DanglingReference { id, .. })) => assert_eq!(*id, 99_i64.into()),
            (20 | 21, other) => panic!("{id}: {other:?}"),
            (_, other) => other.unwrap(),
        }
    }
    let commits = log.named("commitTransaction").len();
    assert!(commits <= 20, "{commits} transactions for 100 inserts, two refused");
    assert_eq!(Comment::find(Filter::all()).count(&db).await.unwrap(), 100);
    assert_eq!(wrong_in(&db, "comments").await, [""; 0]);
}
