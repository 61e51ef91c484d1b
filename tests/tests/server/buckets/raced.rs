//! Writes of children that fail, are answered late, or meet concurrent writes at a command.

use futures_util::future::join_all;
use schema_runtime::{Error, prelude::*, schema, transaction};
use schema_tests::{
    Fault, Proxy,
    buckets::{Comment, Panel, Post, Reading, comment, raw},
    database,
};

/// Inserts the children. This process does not know the last page.
async fn start(children: i64) -> Database {
    let db = database().await;
    schema![Post, Comment, Panel, Reading].plan(&db).await.unwrap().apply(&db).await.unwrap();
    // The client does not remember the inserts of a transaction.
    transaction(&db, |tx| async move { Comment::insert_many(&tx, (1..=children).map(|id| comment(id, 7, id))).await })
        .await
        .unwrap();
    db
}

/// Inserts the children, and lets the client know the last page.
async fn start_known(children: i64) -> Database {
    let db = start(children - 1).await;
    Comment::insert(&db, &comment(children, 7, children)).await.unwrap();
    db
}

async fn pages(db: &Database) -> Vec<Vec<i64>> {
    raw::checked(db, 4).await.remove("7").unwrap_or_default()
}

/// Returns the effect of a fault on a write that has the command as its last command: if the write is answered, and if
/// the write is done.
fn expected(fault: Fault) -> (bool, bool) {
    match fault {
        Fault::Refuse => (false, false),
        Fault::Unmet => (false, true),
        // The driver sends the command again with the number of the first attempt, and the server answers from its
        // record.
        Fault::Close | Fault::Lose | Fault::Late => (true, true),
        Fault::StopBefore | Fault::StopAfter | Fault::Hold => unreachable!("not asked for here"),
    }
}

const FAULTS: [Fault; 5] = [Fault::Refuse, Fault::Unmet, Fault::Close, Fault::Lose, Fault::Late];

#[tokio::test]
async fn an_insert_is_done_once_or_not_at_all_whatever_becomes_of_its_push() {
    let faults = FAULTS.map(async |fault| {
        // The push comes after a read of the page, or is the first command.
        for (before, is_known) in [(0, false), (2, false), (3, false), (4, false), (2, true), (3, true)] {
            let db = if is_known { start_known(before).await } else { start(before).await };
            let proxy = Proxy::start([(usize::from(!is_known), fault)]).await;
            let inserted = Comment::insert(&proxy.database(db.name()).await, &comment(50, 7, 50)).await;
            if fault == Fault::Late {
                proxy.release();
                proxy.landed().await;
            }
            let (is_answered, is_done) = expected(fault);
            assert_eq!(inserted.is_ok(), is_answered, "{fault:?} after {before}: {inserted:?}");
            let all: Vec<i64> = pages(&db).await.concat();
            let there = all.iter().filter(|id| **id == 50).count();
            assert_eq!(
                (all.len() as i64 - there as i64, there),
                (before, usize::from(is_done)),
                "{fault:?} after {before}"
            );
            // A client that repeats the insert with the same `_id` takes a duplicate for done.
            match Comment::insert(&db, &comment(50, 7, 50)).await {
                Ok(()) => assert!(!is_done),
                Err(Error::DuplicateKey { .. }) => assert!(is_done),
                Err(error) => panic!("{error}"),
            }
            assert_eq!(pages(&db).await.concat().len() as i64, before + 1);
        }
    });
    join_all(faults).await;
}

#[tokio::test]
async fn an_insert_that_is_stopped_leaves_nothing_or_all_of_it() {
    for (known, at, fault, is_done) in [
        (false, 0, Fault::StopBefore, false),
        (false, 0, Fault::StopAfter, false),
        (false, 1, Fault::StopBefore, false),
        (false, 1, Fault::StopAfter, true),
        (true, 0, Fault::StopBefore, false),
        (true, 0, Fault::StopAfter, true),
    ] {
        let db = if known { start_known(3).await } else { start(4).await };
        let proxy = Proxy::start([(at, fault)]).await;
        let stopped = proxy.database(db.name()).await;
        let client = tokio::spawn(async move { Comment::insert(&stopped, &comment(50, 7, 50)).await });
        proxy.reached().await;
        client.abort();
        assert_eq!(pages(&db).await.concat().contains(&50), is_done, "{fault:?} at {at}");
    }
}

#[tokio::test]
async fn an_update_and_a_delete_are_done_once_whatever_becomes_of_them() {
    let faults = FAULTS.map(async |fault| {
        let db = start(6).await;
        let (is_answered, is_done) = expected(fault);
        let proxy = Proxy::start([(0, fault)]).await;
        let changed = Comment::update_by_id(2).inc(Comment::F.likes, 1).execute(&proxy.database(db.name()).await).await;
        if fault == Fault::Late {
            proxy.release();
            proxy.landed().await;
        }
        assert_eq!(changed.is_ok(), is_answered, "{fault:?}: {changed:?}");
        assert_eq!(Comment::get_by_id(&db, 2).await.unwrap().likes, i32::from(is_done), "{fault:?}");

        let proxy = Proxy::start([(0, fault)]).await;
        let deleted = Comment::delete_by_id(&proxy.database(db.name()).await, 5).await;
        if fault == Fault::Late {
            proxy.release();
            proxy.landed().await;
        }
        assert_eq!(deleted.as_ref().ok(), is_answered.then_some(&true), "{fault:?}: {deleted:?}");
        assert_eq!(pages(&db).await, [vec![1, 2, 3, 4], if is_done { vec![6] } else { vec![5, 6] }], "{fault:?}");
    });
    join_all(faults).await;
}

#[tokio::test]
async fn an_insert_that_finds_its_page_full_goes_to_the_next() {
    let db = start(3).await;
    let proxy = Proxy::start([(1, Fault::Hold)]).await;
    let slow = proxy.database(db.name()).await;
    let insert = tokio::spawn(async move { Comment::insert(&slow, &comment(50, 7, 50)).await });
    proxy.reached().await;
    Comment::insert(&db, &comment(51, 7, 51)).await.unwrap();
    proxy.release();
    insert.await.unwrap().unwrap();
    assert_eq!(pages(&db).await, [vec![1, 2, 3, 51], vec![50]]);
}

/// A push to a page without a read is held, while concurrent writes fill the page, begin the next page, and make a
/// place in the first page.
#[tokio::test]
async fn a_push_without_a_read_never_comes_before_what_was_there() {
    for is_full in [false, true] {
        let db = start_known(3).await;
        let proxy = Proxy::start([(0, Fault::Hold)]).await;
        let slow = proxy.database(db.name()).await;
        let insert = tokio::spawn(async move { Comment::insert(&slow, &comment(50, 7, 50)).await });
        proxy.reached().await;
        let others = if is_full { 41..=41 } else { 41..=42 };
        Comment::insert_many(&db, others.map(|id| comment(id, 7, id))).await.unwrap();
        Comment::delete_by_id(&db, 2).await.unwrap();
        proxy.release();
        insert.await.unwrap().unwrap();
        let expected = if is_full { vec![vec![1, 3, 41, 50]] } else { vec![vec![1, 3, 41], vec![42, 50]] };
        assert_eq!(pages(&db).await, expected);
    }
}

/// A page is full, and the client stops before the client begins the next page, or after the client has marked the page
/// as followed.
#[tokio::test]
async fn a_page_that_is_followed_by_none_takes_children() {
    for (at, fault) in [(1, Fault::StopBefore), (1, Fault::StopAfter), (2, Fault::StopBefore), (1, Fault::Refuse)] {
        // A push without a read fills the page, and does not mark the page as followed.
        let db = start_known(3).await;
        Comment::insert(&db, &comment(4, 7, 4)).await.unwrap();
        let proxy = Proxy::start([(at, fault)]).await;
        let stopped = proxy.database(db.name()).await;
        let client = tokio::spawn(async move { Comment::insert(&stopped, &comment(50, 7, 50)).await });
        match fault {
            Fault::Refuse => drop(client.await.unwrap().unwrap_err()),
            _ => {
                proxy.reached().await;
                client.abort();
            }
        }
        Comment::delete_by_id(&db, 4).await.unwrap();
        Comment::insert(&db, &comment(51, 7, 51)).await.unwrap();
        Comment::insert(&db, &comment(52, 7, 52)).await.unwrap();
        assert_eq!(pages(&db).await, [vec![1, 2, 3, 51], vec![52]], "{fault:?} at {at}");
    }
}

#[tokio::test]
async fn of_two_inserts_of_one_id_one_is_a_duplicate() {
    // The second insert goes to the same page, or to the next page after another client has filled the page.
    for before in [2, 3] {
        let db = start(before).await;
        let proxy = Proxy::start([(1, Fault::Hold)]).await;
        let slow = proxy.database(db.name()).await;
        let insert = tokio::spawn(async move { Comment::insert(&slow, &comment(50, 7, 9)).await });
        proxy.reached().await;
        Comment::insert(&db, &comment(50, 7, 50)).await.unwrap();
        proxy.release();
        let error = insert.await.unwrap().unwrap_err();
        assert!(matches!(&error, Error::DuplicateKey { index, .. } if index == "items._id_1"), "{error}");
        assert_eq!(Comment::get_by_id(&db, 50).await.unwrap(), comment(50, 7, 50));
    }
}

#[tokio::test]
async fn eight_writers_fill_every_page() {
    let db = start(0).await;
    let writers = (0..8).map(|writer| {
        let db = db.clone();
        tokio::spawn(async move {
            for at in 0..50 {
                let id = writer * 1_000 + at;
                match at % 5 {
                    0 => Comment::insert_many(&db, [comment(id, 7, at), comment(id + 500, 7, at)]).await.unwrap(),
                    _ => Comment::insert(&db, &comment(id, 7, at)).await.unwrap(),
                }
            }
        })
    });
    for done in join_all(writers).await {
        done.unwrap();
    }
    let pages = pages(&db).await;
    let (last, full) = pages.split_last().unwrap();
    assert!(full.iter().all(|page| page.len() == 4), "{pages:?}");
    assert_eq!(pages.concat().len(), 8 * 60);
    assert!(!last.is_empty());
    // The children that a writer inserted in order are in the order of the pages.
    for writer in 0..8 {
        let own = pages.concat().into_iter().filter(|id| id / 1_000 == writer && id % 1_000 < 500);
        assert!(own.is_sorted(), "writer {writer}");
    }
}
