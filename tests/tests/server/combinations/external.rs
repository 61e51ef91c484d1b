//! An external copy of a value that the writes of children maintain: the worker sees the writes of children too.

use std::time::{Duration, Instant};

use schema_runtime::{Throttle, prelude::*};
use schema_tests::{PATIENCE, RunningWorker, database};

use super::{
    models::{Board, Package, Section, package, schema, section},
    right::assert_right,
};

#[tokio::test]
async fn an_external_copy_of_a_count_follows_it() {
    let db = database().await;
    schema().plan(&db).await.unwrap().apply(&db).await.unwrap();
    Section::insert(&db, &section(1, "net")).await.unwrap();
    let board = Board { id: 1, section: Ref::new(1), packages: 0, latest: None };
    Board::insert(&db, &board).await.unwrap();
    let running = RunningWorker::begun(&db, schema().worker(&db)).await;
    let follows = async || {
        let begun = Instant::now();
        loop {
            let (board, section) =
                (Board::get_by_id(&db, &1).await.unwrap(), Section::get_by_id(&db, &1).await.unwrap());
            if (board.packages, board.latest) == (section.packages, section.latest) {
                return board.packages;
            }
            assert!(begun.elapsed() < PATIENCE, "{board:?} {section:?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    Package::insert_many(&db, &[package(1, 1, None), package(2, 1, None), package(3, 1, None)]).await.unwrap();
    assert_eq!(follows().await, 3);
    Package::update_by_id(1).set(Package::F.bytes, 5_000).execute(&db).await.unwrap();
    assert_eq!(follows().await, 3);
    Package::delete_by_id(&db, &1).await.unwrap();
    assert_eq!(follows().await, 2);
    Package::delete_many(&db, Filter::all()).await.unwrap();
    assert_eq!(follows().await, 0);
    running.stop().await;
    schema().repair(&db, &Throttle::new()).await.unwrap();
    assert_right(&db).await;
}
