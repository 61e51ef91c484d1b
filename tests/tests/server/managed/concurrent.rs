//! Many writers of the same document: each success counts exactly once.

use super::*;

const WRITERS: i64 = 8;
const ROUNDS: i64 = 10;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nothing_is_lost_among_many_writers() {
    let db = database().await;
    Counter::insert(&db, &Counter { id: 1, count: 0, version: Number(0) }).await.unwrap();
    let writers: Vec<_> = (0..WRITERS)
        .map(|_| {
            let db = db.clone();
            tokio::spawn(async move {
                let mut conflicts = 0;
                for _ in 0..ROUNDS {
                    while !add_one(&db).await {
                        conflicts += 1;
                    }
                }
                conflicts
            })
        })
        .collect();
    let mut conflicts = 0;
    for writer in writers {
        conflicts += writer.await.unwrap();
    }
    let stored = raw(&db, "counters", 1).await;
    assert_eq!(stored, doc! { "_id": 1_i64, "count": WRITERS * ROUNDS, "version": WRITERS * ROUNDS });
    assert!(conflicts > 0, "the writers never met, so this shows nothing");
}

/// Concurrent saves, updates by operators and transactions.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn every_way_to_write_counts_once() {
    let db = database().await;
    Counter::insert(&db, &Counter { id: 1, count: 0, version: Number(0) }).await.unwrap();
    let writers: Vec<_> = (0..WRITERS)
        .map(|writer| {
            let db = db.clone();
            tokio::spawn(async move {
                for _ in 0..ROUNDS {
                    match writer % 4 {
                        0 => while !add_one(&db).await {},
                        1 => drop(Counter::update_by_id(1).inc(Counter::F.count, 1).execute(&db).await.unwrap()),
                        2 => drop(
                            Counter::update_many(Filter::all()).inc(Counter::F.count, 1).execute(&db).await.unwrap(),
                        ),
                        _ => add_one_in_a_transaction(&db).await,
                    }
                }
            })
        })
        .collect();
    for writer in writers {
        writer.await.unwrap();
    }
    let stored = raw(&db, "counters", 1).await;
    assert_eq!(stored, doc! { "_id": 1_i64, "count": WRITERS * ROUNDS, "version": WRITERS * ROUNDS });
}

/// Increments the counter in a transaction. No writer comes between the read and the save: on a conflict, the whole
/// transaction runs again.
async fn add_one_in_a_transaction(db: &Database) {
    let added = transaction(db, |tx| async move {
        let mut counter = Counter::get_by_id(&tx, &1).await?;
        counter.count += 1;
        Counter::save(&tx, &mut counter).await
    });
    added.await.unwrap();
}

/// Reads, increments and saves; `false` when another writer came between.
async fn add_one(db: &Database) -> bool {
    let mut counter = Counter::get_by_id(db, &1).await.unwrap();
    counter.count += 1;
    match Counter::save(db, &mut counter).await {
        Ok(()) => true,
        Err(Error::VersionConflict { expected, found: Some(found), .. }) => {
            assert!(found > expected, "{found} {expected}");
            false
        }
        Err(other) => panic!("{other}"),
    }
}
